#!/bin/sh
# Builds the fuzz targets as OSS-Fuzz wants them, from the variables that its base image sets: CC, CFLAGS,
# LIB_FUZZING_ENGINE, OUT; to try it:
#   CC=clang CFLAGS='-O1 -g -fsanitize=address,fuzzer-no-link' LIB_FUZZING_ENGINE=-fsanitize=fuzzer OUT=DIR \
#       tests/fuzz/oss_fuzz.sh
set -eu
cd "$(dirname "$0")/../.."
: "${CC:?}" "${LIB_FUZZING_ENGINE:?}" "${OUT:?}"
objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT
mkdir -p "$OUT"

cmake -DOUT="$objects/web_text.c" -P tools/texenvc/web/text.cmake
for source in "$objects/web_text.c" texenv/*.c texenv/*/*.c fragprog/*.c fragprog/*/*.c hwemit/*.c hwemit/*/*.c tools/texenvc/*.c \
    tests/fuzz/pipeline.c tests/shared/fill.c; do
    case $source in tools/texenvc/main.c | tools/texenvc/cmd_*) continue ;; esac
    # shellcheck disable=SC2086 # CFLAGS and the engine are lists
    $CC ${CFLAGS-} -std=c11 -ffp-contract=off -I. -c "$source" -o "$objects/$(echo "$source" | tr / _).o"
done
# memory that the library is lent is full of 0xA5
wrap=$(sed -n 's/^WRAP([a-z]*, \([a-z_]*\),.*/-Wl,--wrap=\1/p' tests/shared/fill.c)
for source in tests/fuzz/fuzz_*.c; do
    name=$(basename "$source" .c)
    # the engine is C++ where it is a library
    # shellcheck disable=SC2086
    $CC ${CFLAGS-} -std=c11 -I. -c "$source" -o "$objects/$name.target"
    # shellcheck disable=SC2086
    ${CXX:-$CC} ${CXXFLAGS:-${CFLAGS-}} "$objects/$name.target" "$objects"/*.o $LIB_FUZZING_ENGINE $wrap -o "$OUT/$name"
    seeds=tests/fuzz/corpus/${name#fuzz_}
    if [ -d "$seeds" ] && command -v zip >/dev/null; then
        zip -q -j -r "$OUT/${name}_seed_corpus.zip" "$seeds"
    fi
    cp tests/fuzz/words.dict "$OUT/$name.dict"
done
