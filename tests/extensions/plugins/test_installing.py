"""A plugin is put in place whole or not at all, keeps what it wrote, and can be gone back from."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import pytest

from furoshiki.extensions.plugins import installed, installing, package
from furoshiki.extensions.plugins.package import NotInstalled
from furoshiki.extensions.plugins.store.plugins import current_contexts, put_context
from furoshiki.extensions.plugins.values import Permissions
from furoshiki.world import World
from tests.support import plugins


def put(world: World, folder: Path) -> None:
    installing.install(world, package.gather_files(folder), "folder")


def test_installed_pinned_and_enabled(world: World, tmp_path: Path) -> None:
    source = plugins.write(tmp_path / "source", more="permissions:\n  read_db: true\n")
    (source / "data").mkdir()
    (source / "data" / "own.json").write_text("{}")
    (source / ".git").mkdir()
    put(world, source)
    found = installed.one(world, "dice", thoroughly=True)
    assert found is not None
    assert found.runs
    assert sorted(path.name for path in found.folder.iterdir()) == ["PLUGIN.md", "data", "scripts"]
    assert not list((found.folder / "data").iterdir())
    (found.folder / "scripts" / "main.py").write_text("import os")
    (problem,) = installed.list_all(world, thoroughly=True)[0].problems
    assert problem.startswith("scripts/main.py was changed since you allowed it")


def test_a_new_version_keeps_the_data_and_can_be_gone_back_from(world: World, tmp_path: Path) -> None:
    put(world, plugins.write(tmp_path / "source"))
    home = world.home / "plugins" / "dice"
    (home / "data" / "kept.txt").write_text("mine")
    put(world, plugins.write(tmp_path / "source", version="2.0", script="# two\n"))

    def version() -> str:
        (one,) = installed.list_all(world, thoroughly=True)
        assert one.runs, one.problems
        assert (home / "data" / "kept.txt").read_text() == "mine"
        assert one.manifest is not None
        return one.manifest.version

    assert version() == "2.0"
    assert installing.rollback(world, "dice").version == version() == "1.0"
    assert installing.rollback(world, "dice").version == version() == "2.0"
    kept = installing.remove(world, "dice")
    assert installed.list_all(world) == []
    assert (kept / "files" / "data" / "kept.txt").read_text() == "mine"
    assert installing.rollback(world, "dice").version == version() == "2.0"


def test_only_a_version_that_is_kept_whole_comes_back(world: World, tmp_path: Path) -> None:
    put(world, plugins.write(tmp_path / "source"))
    kept = installing.remove(world, "dice")
    (kept / "files" / "scripts" / "main.py").write_text("import os")
    with pytest.raises(NotInstalled, match="no earlier version of dice is kept whole"):
        installing.rollback(world, "dice")


def test_what_wants_more_than_it_was_allowed_does_not_run(world: World, tmp_path: Path) -> None:
    put(world, plugins.write(tmp_path / "source"))
    with world.database.write() as db:
        db.execute("UPDATE plugins SET permissions = replace(permissions, 'true', 'false')")
    (world.home / "plugins/dice/PLUGIN.md").write_text(
        plugins.write(tmp_path / "more", more="permissions:\n  llm: true\n").joinpath("PLUGIN.md").read_text()
    )
    (one,) = installed.list_all(world)
    assert not one.runs
    assert one.problems[0].startswith("it wants more than you allowed (ask my model, at your cost)")
    assert one.manifest is not None
    assert one.manifest.permissions == Permissions(llm=True)


def test_two_plugins_share_no_setting(world: World, tmp_path: Path) -> None:
    setting = "settings:\n  - {{name: {}, about: a key, secret: true}}\n"
    put(world, plugins.write(tmp_path / "a", name="mail-box", more=setting.format("KEY")))
    put(world, plugins.write(tmp_path / "b", name="mail", more=setting.format("BOX_KEY")))
    for one in installed.list_all(world):
        assert not one.runs
        assert "PLUGIN_MAIL_BOX_KEY is also one of" in one.problems[0]


def test_a_setting_may_be_one_of_a_plugin_whose_manifest_cannot_be_read(world: World, tmp_path: Path) -> None:
    setting = "settings:\n  - {name: KEY, about: a key, secret: true}\n"
    put(world, plugins.write(tmp_path / "a", name="web-search", more=setting))
    put(world, plugins.write(tmp_path / "b", name="web"))
    assert all(one.runs for one in installed.list_all(world))
    (world.home / "plugins/web/PLUGIN.md").write_text("name: web\n")
    (found,) = (one for one in installed.list_all(world) if one.name == "web-search")
    assert found.problems == ("its setting PLUGIN_WEB_SEARCH_KEY may be one of web: mend or remove web first",)


def test_what_a_version_had_to_say_goes_with_it(world: World, tmp_path: Path) -> None:
    put(world, plugins.write(tmp_path / "source"))
    with world.database.write() as db:
        put_context(db, "dice", "of the old one", world.now, world.now + timedelta(hours=1))
    put(world, plugins.write(tmp_path / "source", version="2.0"))
    with world.database.read() as db:
        assert current_contexts(db, world.now) == []


@pytest.mark.parametrize(
    "name",
    [
        "scripts/x.so",
        "scripts/.hidden/../x.py",
        "setup.py",
        "scripts/ａ.py",
        "scripts/a.py\n",
        "scripts/a.pyc",
        "docs/x.sh",
    ],
)
def test_files_that_no_plugin_brings(name: str, tmp_path: Path) -> None:
    files = {**package.gather_files(plugins.write(tmp_path)), name: b""}
    with pytest.raises(NotInstalled, match="is no file a plugin brings"):
        package.judge_files(files)


def test_no_link_leads_anywhere(world: World, tmp_path: Path) -> None:
    secret = tmp_path / "secret.py"
    secret.write_text("TOKEN = 1")
    source = plugins.write(tmp_path / "source")
    (source / "scripts" / "leak.py").symlink_to(secret)
    with pytest.raises(NotInstalled, match=r"scripts/leak\.py is no file of its own"):
        package.gather_files(source)
    (source / "scripts" / "leak.py").unlink()
    os.mkfifo(source / "scripts" / "pipe.py")
    with pytest.raises(NotInstalled, match=r"scripts/pipe\.py is no file of its own"):
        package.gather_files(source)
    (source / "scripts" / "pipe.py").unlink()
    (source / "scripts" / "more").symlink_to(tmp_path)
    with pytest.raises(NotInstalled, match="scripts/more is a link"):
        package.gather_files(source)
    (source / "scripts" / "more").unlink()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (world.home / "plugins").mkdir(exist_ok=True)
    (world.home / "plugins" / "dice").symlink_to(elsewhere)  # where it is to go
    put(world, source)
    assert not list(elsewhere.iterdir())
    assert not (world.home / "plugins" / "dice").is_symlink()


def test_what_is_wrong_changes_nothing(world: World, tmp_path: Path) -> None:
    put(world, plugins.write(tmp_path / "source"))
    (tmp_path / "source" / "scripts" / "main.py").rename(tmp_path / "source" / "scripts" / "other.py")
    with pytest.raises(NotInstalled, match=r"there is no file scripts/main\.py"):
        put(world, tmp_path / "source")
    assert installed.list_all(world, thoroughly=True)[0].runs
    assert sorted(path.name for path in (world.home / "plugins").iterdir()) == ["dice"]
