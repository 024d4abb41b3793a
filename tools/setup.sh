# Sourced by ./test and ./play, in the repository's root: makes .tools and .venv from the lock files.
# What an environment was made from and for is written in .tools/stamp.
unset PYTHONHOME PYTHONPATH VIRTUAL_ENV PYTHONDONTWRITEBYTECODE # without bytecode every start reads the source anew
[[ -w ${HOME:-} ]] || export UV_CACHE_DIR="$PWD/.tools/cache" # uv must be able to write its cache somewhere

find_python() { # for the command named $1
    local candidate usable='import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))'
    for candidate in ${PYTHON:-python3.13 python3.12 python3.11 python3}; do
        if "$candidate" -c "$usable" 2>/dev/null; then
            # Resolved, because an activated .venv would otherwise be rebuilt from itself.
            "$candidate" -c 'import os, sys; print(os.path.realpath(sys.executable))'
            return
        fi
    done
    echo "Golden Spike needs Python 3.11 or later with its venv module, and found none:" \
        "install it, or name one as in 'PYTHON=/path/to/python3 $1'." >&2
    return 1
}

# What the environment is made from; while it is unchanged, so is the environment.
fingerprint() { # with the Python $1 for the lock file $2
    "$1" - "$2" tools/setup.sh pyproject.toml requirements/*.txt <<'PY'
import hashlib, os, sys
purpose, *names = sys.argv[1:]
digest = hashlib.sha256(f"{sys.version} {sys.executable} {os.getcwd()} {purpose}".encode())
for name in names:
    with open(name, "rb") as file:
        digest.update(file.read())
print(digest.hexdigest())
PY
}

is_installed() {
    [[ "$(cat .tools/stamp 2>/dev/null)" == "$(fingerprint "$1" "$2")" && -x .venv/bin/python ]]
}

install() { # with the Python $1 the lock file $2: dev or runtime
    local python=$1 purpose=$2
    export PIP_DISABLE_PIP_VERSION_CHECK=1
    rm -rf .tools &&
        "$python" -m venv .tools &&
        .tools/bin/python -m pip install -qq --require-hashes -r requirements/uv.txt &&
        .tools/bin/uv venv --quiet --clear --no-python-downloads --python "$python" .venv &&
        .tools/bin/uv pip sync --quiet --compile-bytecode --python .venv --require-hashes \
            "requirements/$purpose.txt" &&
        link_project "$purpose" &&
        .tools/bin/uv pip check --quiet --python .venv &&
        fingerprint "$python" "$purpose" >.tools/stamp
}

# Only the developers' lock file has what builds a package. To play, it is enough that Python finds the source.
link_project() {
    if [[ $1 == dev ]]; then
        .tools/bin/uv pip install --quiet --python .venv --no-deps --no-build-isolation --editable .
        return
    fi
    .venv/bin/python - "$PWD/src" <<'PY'
import pathlib, sys, sysconfig
pathlib.Path(sysconfig.get_path("purelib"), "goldenspike.pth").write_text(sys.argv[1] + "\n", encoding="utf-8")
command = pathlib.Path(sysconfig.get_path("scripts"), "goldenspike")
command.write_text(f"#!{sys.executable}\nimport sys\nfrom goldenspike.cli import main\nsys.exit(main())\n")
command.chmod(0o755)
PY
}
