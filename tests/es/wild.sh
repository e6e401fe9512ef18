# Random calls, also wrong ones, over OpenGL ES: no crash, and no error of OpenGL ES that the library causes.
# With sanitizers (-DTEXENV_SANITIZE=ON), nothing that they find.
#
# usage: sh wild.sh ES_CALLS PICTURES SEEDS FRAMES     prints how many calls there were
#
# Mesa's softpipe is faster here, as it does not compile shaders to machine code.
export GALLIUM_DRIVER="${GALLIUM_DRIVER-softpipe}"
total=0
for seed in $(seq "$3"); do
    answers=$("$1" "$seed" "$4" "$2.$$" wild)
    status=$?
    rm -f "$2.$$"
    [ $status -eq 0 ] || { echo "seed $seed: exit status $status"; exit $status; }
    total=$((total + $(echo "$answers" | sed -n '$s/ calls$//p')))
done
echo "$total calls"
