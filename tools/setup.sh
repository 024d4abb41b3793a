# Sourced by ./test and ./play in the repository's root: creates .tools and .venv from the lock files.
# .tools/stamp holds a fingerprint of everything that the environment was created from.
unset PYTHONHOME PYTHONPATH VIRTUAL_ENV PYTHONDONTWRITEBYTECODE # without bytecode every start compiles the source again
[[ -w ${HOME:-} ]] || export UV_CACHE_DIR="$PWD/.tools/cache" # uv needs a writable cache

find_python() { # $1: the command, for the error message
    local candidate usable='import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))'
    for candidate in ${PYTHON:-python3.13 python3.12 python3.11 python3}; do
        if "$candidate" -c "$usable" 2>/dev/null; then
            # Resolved, because an activated .venv would otherwise be rebuilt from itself.
            "$candidate" -c 'import os, sys; print(os.path.realpath(sys.executable))'
            return
        fi
    done
    echo "Golden Spike needs Python 3.11 or later with its venv module, which was not found:" \
        "install it, or name one as in 'PYTHON=/path/to/python3 $1'." >&2
    return 1
}

# The environment is installed again when this changes.
fingerprint() { # $1: the Python; $2: the lock file, dev or runtime
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

install() { # $1: the Python; $2: the lock file, dev or runtime
    local python=$1 purpose=$2
    export PIP_DISABLE_PIP_VERSION_CHECK=1
    rm -rf .tools &&
        "$python" -m venv .tools &&
        .tools/bin/python -m pip install -qq --require-hashes -r requirements/uv.txt &&
        .tools/bin/uv venv --quiet --clear --no-python-downloads --python "$python" .venv &&
        .tools/bin/uv pip sync --quiet --compile-bytecode --python .venv --require-hashes \
            "requirements/$purpose.txt" &&
        .tools/bin/uv pip install --quiet --python .venv --no-deps --no-build-isolation --editable . &&
        .tools/bin/uv pip check --quiet --python .venv &&
        fingerprint "$python" "$purpose" >.tools/stamp
}
