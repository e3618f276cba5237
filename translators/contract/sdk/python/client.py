"""What every version of the client works with. Standard library only."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any, Iterator, Mapping, NamedTuple, Optional, Union

RETRIED = frozenset({429, 502, 503, 504})
WAIT_SECONDS = 0.3
WAIT_SECONDS_MAX = 30.0
WEBHOOK_SECONDS_MAX = 300


class ServiceError(Exception):
    """The service answered with an error. Codes never change within a version; words may."""

    def __init__(self, status: int, body: Mapping[str, Any], request_id: Optional[str]) -> None:
        super().__init__(str(body.get("message", f"The service answered {status}.")))
        self.status = status
        self.code: str = str(body.get("code", f"http_{status}"))
        self.details: list[Mapping[str, Any]] = list(body.get("details") or [])
        self.documentation_url: Optional[str] = body.get("documentation_url")
        self.request_id = request_id
        #: The error as it came, with members that this package does not know.
        self.body = dict(body)


class Invalid(ServiceError):
    """400 and 422: the request is not what the version takes; ``details`` say where."""


class NotAuthenticated(ServiceError):
    """401: the key is missing, wrong, expired, or of a form that the version has retired."""


class NotAllowed(ServiceError):
    """403: the key lacks the scope."""


class NotFound(ServiceError):
    """404: there is no such thing, or not for this account."""


class Conflict(ServiceError):
    """409: the state of the thing does not allow it."""


class VersionEnded(ServiceError):
    """410 ``version_sunset``: ``body`` lists the versions that can be called."""


class Changed(ServiceError):
    """412: it has changed since it was read."""


class TooMany(ServiceError):
    """429: too many requests, retries included."""


class Unavailable(ServiceError):
    """5xx: the service could not do it."""


class NoAnswer(Exception):
    """No answer came: the network, or the time that was given, ended first."""


class NotVerified(Exception):
    """A delivery is not from the service, or is too old to be taken."""


_BY_STATUS: dict[int, type[ServiceError]] = {
    400: Invalid,
    401: NotAuthenticated,
    403: NotAllowed,
    404: NotFound,
    409: Conflict,
    410: VersionEnded,
    412: Changed,
    422: Invalid,
    429: TooMany,
}


class StreamEvent(NamedTuple):
    """One server-sent event; skip those whose name is not known."""

    id: Optional[str]
    event: str
    data: Any


class Service:
    """Calls the service in one version."""

    VERSION = ""

    def __init__(
        self,
        base_url: str,
        key: str,
        *,
        client: Optional[str] = None,
        retries: int = 3,
        timeout: float = 30.0,
    ) -> None:
        self._base = base_url.rstrip("/")
        self._key = key
        self._client = client
        self._retries = retries
        self._timeout = timeout
        #: Headers of the last answer: ``ETag``, ``Service-API-Deprecation``, ``RateLimit`` and others.
        self.last_headers: Mapping[str, str] = {}

    def _open(
        self,
        method: str,
        path: str,
        path_values: Mapping[str, str],
        query: Mapping[str, Any],
        body: Any,
        media_type: Optional[str],
        keyed: bool,
        headers: Optional[Mapping[str, str]],
    ) -> Any:
        for name, value in path_values.items():
            path = path.replace("{" + name + "}", urllib.parse.quote(value, safe=""))
        pairs = [(name, _text(each)) for name, value in query.items() for each in _values(value)]
        url = f"{self._base}/v{self.VERSION}{path}" + (f"?{urllib.parse.urlencode(pairs)}" if pairs else "")
        sent = {"Authorization": f"Bearer {self._key}", **(headers or {})}
        names = {name.lower() for name in sent}
        if self._client is not None:
            sent["X-Service-Client"] = self._client
        # One key for all tries: however often it is sent, it is carried out once.
        if keyed and "idempotency-key" not in names:
            sent["Idempotency-Key"] = str(uuid.uuid4())
        data: Optional[bytes] = None
        if body is not None:
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            if "content-type" not in names:
                sent["Content-Type"] = media_type or "application/json"
        may_repeat = method != "PATCH" or "if-match" in names
        attempt = 0
        while True:
            is_last = attempt >= self._retries or not may_repeat
            request = urllib.request.Request(url, data=data, method=method, headers=sent)
            retry_after: Optional[str] = None
            try:
                response = urllib.request.urlopen(request, timeout=self._timeout)
                self.last_headers = dict(response.headers.items())
                return response
            except urllib.error.HTTPError as failed:
                error = _error(failed)
                retry_after = failed.headers.get("Retry-After")
                if is_last or failed.code not in RETRIED:
                    raise error from None
            except (urllib.error.URLError, TimeoutError, ConnectionError) as cause:
                if is_last:
                    raise NoAnswer("no answer came") from cause
            _wait(attempt, retry_after)
            attempt += 1

    def _data(self, *args: Any) -> Any:
        with self._open(*args) as response:
            text = response.read()
        return json.loads(text).get("data") if text else None

    def _lines(self, *args: Any) -> Iterator[Any]:
        with self._open(*args) as response:
            for line in response:
                if line.strip():
                    yield json.loads(line)

    def _events(self, *args: Any) -> Iterator[StreamEvent]:
        with self._open(*args) as response:
            last: Optional[str] = None
            event, data = "message", []  # type: ignore[var-annotated]
            for raw in response:
                line = raw.decode().rstrip("\r\n")
                if not line:
                    if data:
                        yield StreamEvent(last, event, json.loads("\n".join(data)))
                    event, data = "message", []
                    continue
                name, _, value = line.partition(":")
                value = value[1:] if value.startswith(" ") else value
                if name == "id":
                    last = value
                elif name == "event":
                    event = value
                elif name == "data":
                    data.append(value)

    def _bytes(self, *args: Any) -> bytes:
        with self._open(*args) as response:
            return bytes(response.read())


def items(method: Any, *args: Any, **kwargs: Any) -> Iterator[Any]:
    """Every entry of a list, page by page, by cursor or by offset: ``items(service.patients_list, limit=100)``."""
    while True:
        page = method(*args, **kwargs)
        yield from page["items"]
        if page.get("next_cursor") is not None:
            kwargs["cursor"] = page["next_cursor"]
        elif "offset" in page and page["items"] and page["offset"] + len(page["items"]) < page.get("total", 0):
            kwargs["offset"] = page["offset"] + len(page["items"])
        else:
            return


def verify_webhook(
    secret: str, body: Union[str, bytes], headers: Mapping[str, str], now: Optional[float] = None
) -> Any:
    """Checks a delivery (Standard Webhooks) and gives its event.

    :param body: exactly as it came. :param now: seconds since 1970.
    :raises NotVerified:
    """
    lower = {name.lower(): value for name, value in headers.items()}
    given = [lower.get(name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature")]
    if not all(given):
        raise NotVerified("a header of the signature is missing")
    identifier, timestamp, signatures = (str(each) for each in given)
    try:
        age = abs((time.time() if now is None else now) - int(timestamp))
    except ValueError:
        raise NotVerified("the time is not one") from None
    if age > WEBHOOK_SECONDS_MAX:
        raise NotVerified("the delivery is too old or too new")
    text = body.encode() if isinstance(body, str) else body
    key = base64.b64decode(secret[6:] if secret.startswith("whsec_") else secret)
    wanted = base64.b64encode(
        hmac.new(key, f"{identifier}.{timestamp}.".encode() + text, hashlib.sha256).digest()
    ).decode()
    for each in signatures.split():
        version, _, signature = each.partition(",")
        if version == "v1" and hmac.compare_digest(signature.encode(), wanted.encode()):
            return json.loads(text)
    raise NotVerified("the signature is not of this secret")


def _values(value: Any) -> list[Any]:
    if value is None:
        return []
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _text(value: Any) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _error(failed: urllib.error.HTTPError) -> ServiceError:
    request_id: Optional[str] = failed.headers.get("X-Request-Id")
    try:
        body = json.loads(failed.read()).get("error", {})
    except (ValueError, AttributeError):
        body = {}
    kind = _BY_STATUS.get(failed.code, Unavailable if failed.code >= 500 else ServiceError)
    return kind(failed.code, body, request_id)


def _wait(attempt: int, retry_after: Optional[str]) -> None:
    asked = float(retry_after) if retry_after is not None and retry_after.isdigit() else 0.0
    # With chance in it, so that clients do not come back together.
    own = WAIT_SECONDS * 2**attempt * (0.5 + random.random())
    time.sleep(min(asked or own, WAIT_SECONDS_MAX))
