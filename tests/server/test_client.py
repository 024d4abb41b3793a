"""The client for scripts: invitations, and which queries it may send before all players have joined."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from goldenspike.server.protocol.client import Client, RefusedError, accept_invitation
from goldenspike.server.protocol.messages import AnyCommand, Hint, Reply, Ways, Why
from tests.server.people import known
from tests.server.serving import Server, within


@within(60)
async def test_a_script_accepts_an_invitation_and_plays(server: Server) -> None:
    created = server.create("new-york", "here", "link")
    invitation = known(created.invitations[1])
    link = await accept_invitation(server.url, invitation, "Ben")
    async with Client.connect(server.url, link) as client:
        assert client.seat == 1
        assert client.seats[1].name == "Ben"
        await client.play("keep all")
    with pytest.raises(RefusedError, match="already used"):
        await accept_invitation(server.url, invitation)


def test_the_example_in_the_documentation_plays_a_game(server: Server) -> None:
    page = Path(__file__).parents[2] / "docs" / "reference" / "protocol.md"
    [example] = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    created = server.create("new-york", "here", "easy")
    link = known(created.seats[0])
    for shown, real in (("http://localhost:8000", server.url), ("R2hnTq0LwK1c.QZ...", link)):
        assert shown in example
        example = example.replace(shown, real)
    exec(example, {})
    assert server.show(link).view.ending is not None


@pytest.mark.parametrize(
    "question", [Ways("1"), Hint("1"), Why("1", "draw deck")], ids=["ways", "hint", "why"]
)
@within(60)
async def test_no_question_reveals_cards_before_all_have_joined(server: Server, question: AnyCommand) -> None:
    created = server.create("new-york", "here", "link", first=0)
    async with Client.connect(server.url, known(created.seats[0])) as client:
        assert not known(client.own).offer
        with pytest.raises(RefusedError, match="hidden until everyone has joined"):
            await client.send(question)
        await accept_invitation(server.url, known(created.invitations[1]))
        await client.wait(lambda: bool(known(client.own).offer))
        assert isinstance(await client.send(question), Reply)
