"""No part of a password reaches a message, wherever in the URL it stands."""

import pytest

from claimeven.db.errors import StoreError
from claimeven.db.location import StoreLocation
from claimeven.db.secret import hide_in, hide_url
from claimeven.db.store import Store

URLS = [
    "postgresql+psycopg://me:hush@127.0.0.1:1/db",
    "postgresql+psycopg://me:hush@hush2@127.0.0.1:1/db",
    "postgresql+psycopg://me:hush/hush2@127.0.0.1:1/db",
    "postgresql+psycopg://me:hush?hush2@127.0.0.1:1/db",
    "postgresql+psycopg://me:hush@hush2?hush3@127.0.0.1:1/db",
    "postgresql+psycopg://me:hush%40hush2@127.0.0.1:1/db",
    "postgresql+psycopg://me@127.0.0.1:1/db?password=hush",
    "postgresql+psycopg://me@127.0.0.1:1/db?application_name=x&password=hush@hush2",
    "postgresql+psycopg://127.0.0.1:1/db?user=me&sslpassword=hush",
    "postgresql+psycopg://me:hush@127.0.0.1:hush2/db",
    "nosuch://me:hush@127.0.0.1/db",
    "postgresql+psycopg://me:@hush@127.0.0.1:1/db",
]


@pytest.mark.parametrize("url", URLS)
def test_no_message_holds_a_password(url: str) -> None:
    shown = str(StoreLocation.parse(url))
    assert "hush" not in shown.replace("127.0.0.1:hush2", "")  # that is a port
    assert "me" in shown or "@" not in url
    with pytest.raises(StoreError) as error:
        Store.open(url, timeout=1)
    message = str(error.value)
    assert "hush" not in message.replace("hush2", "") if ":hush2/" in url else "hush" not in message
    assert message.startswith(f"{shown}: ")
    assert "\n" not in message


def test_a_url_without_a_secret_is_shown_as_it_is() -> None:
    assert hide_url("postgresql://me@host:5432/db") == "postgresql://me@host:5432/db"


def test_a_complaint_loses_the_password_and_nothing_else() -> None:
    url = "postgresql://me:a@ss@host/db"
    assert hide_in('no host "ss@host" at a passage', url) == 'no host "***@host" at *** passage'


def test_an_at_sign_in_a_password_never_becomes_a_host() -> None:
    with pytest.raises(StoreError, match="%40"):
        Store.open("postgresql+psycopg://me:hush@hush2@127.0.0.1:1/db")
