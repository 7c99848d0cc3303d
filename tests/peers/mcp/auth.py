"""The official Python client against a server that needs an access token: it finds the provider,
registers, sends a person there, gets a token and calls.

Usage: auth.py URL REDIRECT TOOL; prints "good". `auth.mjs` starts the server and the provider, and runs it.
"""

import re
import sys
from urllib.parse import parse_qs, urljoin, urlparse

import anyio
import httpx2
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata

URL, REDIRECT, TOOL = sys.argv[1:]


class Memory:
    """What a program keeps."""

    tokens = client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


class Person:
    """Signs in and agrees to everything."""

    ended = None

    async def go(self, url):
        assert "code_challenge_method=S256" in url, url
        async with httpx2.AsyncClient(trust_env=False) as browser:
            answer = await browser.get(url)
            for _ in range(20):
                if location := answer.headers.get("location"):
                    url = urljoin(str(answer.url), location)
                    if url.startswith(REDIRECT):
                        self.ended = url
                        return
                    answer = await browser.get(url)
                    continue
                prompt = re.search(r'name="prompt" value="(\w+)"', answer.text)
                assert prompt, answer.text[:400]
                action = urljoin(str(answer.url), re.search(r'action="([^"]+)"', answer.text)[1])
                answer = await browser.post(action, data={"prompt": prompt[1], "login": "ada", "password": "x"})
        raise AssertionError("the provider does not come to an end")

    async def back(self):
        query = parse_qs(urlparse(self.ended).query)
        one = {name: query[name][0] for name in ("code", "state", "iss") if name in query}
        return AuthorizationCodeResult(**one)


async def main():
    person = Person()
    auth = OAuthClientProvider(
        URL,
        OAuthClientMetadata(
            client_name="peers",
            redirect_uris=[REDIRECT],
            grant_types=["authorization_code", "refresh_token"],
            response_types=["code"],
            token_endpoint_auth_method="none",
        ),
        Memory(),
        redirect_handler=person.go,
        callback_handler=person.back,
    )
    async with httpx2.AsyncClient(auth=auth, trust_env=False, timeout=60) as http:
        async with Client(streamable_http_client(URL, http_client=http)) as client:
            tools = (await client.list_tools()).tools
            assert any(tool.name == TOOL for tool in tools), tools
            result = await client.call_tool(TOOL, {})
            assert result.content, result
    assert person.ended, "nobody was asked to sign in"
    print("good")


anyio.run(main)
