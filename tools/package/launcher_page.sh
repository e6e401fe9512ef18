#!/bin/sh
# launcher_page.sh manual|bash LAUNCHER: prints the manual page of a launcher (texenv-shim, texenv-record), or
# its completion for bash, both made from its --help.
set -eu
what=$1 launcher=$2
name=$(basename "$launcher")
help=$("$launcher" --help)
case $what in
manual)
    echo ".TH $name 1 \"\" \"$("$launcher" --version)\""
    echo ".SH NAME"
    case $name in
    texenv-record) echo "$name \\- record the texture environments that a program draws with" ;;
    *) echo "$name \\- run a program with fixed\\-function texturing replaced by generated programs" ;;
    esac
    echo ".SH SYNOPSIS"
    echo ".nf"
    echo "$help" | sed -n '1s/^usage: //p' | sed 's/-/\\-/g'
    echo ".fi"
    echo ".SH DESCRIPTION"
    echo ".nf"
    echo "$help" | sed '1,2d; s/\\/\\e/g; s/-/\\-/g; s/^\([.'\'']\)/\\\&\1/'
    echo ".fi"
    echo ".SH SEE ALSO"
    echo ".BR texenvc (1)"
    ;;
bash)
    options=$(echo "$help" | grep -o -e '--[a-z][a-z]*' | sort -u | tr '\n' ' ')
    function=_$(echo "$name" | tr - _)
    cat <<END
# After the options comes a program with arguments of its own.
$function() {
    local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]}
    case \$before in
    --by) COMPREPLY=(\$(compgen -W 'atifs arbfp glsl' -- "\$word")) ;;
    --provide) COMPREPLY=(\$(compgen -W 'arbfp glsl' -- "\$word")) ;;
    *)
        case \$word in
        -*) COMPREPLY=(\$(compgen -W '$options' -- "\$word")) ;;
        *) COMPREPLY=(\$(compgen -c -- "\$word") \$(compgen -f -- "\$word")) ;;
        esac
        ;;
    esac
}
complete -o filenames -F $function $name
END
    ;;
*)
    echo "usage: launcher_page.sh manual|bash LAUNCHER" >&2
    exit 2
    ;;
esac
