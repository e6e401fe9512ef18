# Random calls, also wrong ones, over OpenGL ES: no crash, and no error of OpenGL ES that the library causes.
# With sanitizers (-DTEXENV_SANITIZE=ON), nothing that they find.
#
# usage: sh wild.sh ES_CALLS PICTURES.rgba SEEDS FRAMES     prints how many calls there were
total=0
for seed in $(seq "$3"); do
    answers=$("$1" "$seed" "$4" "$2" wild)
    status=$?
    [ $status -eq 0 ] || { echo "seed $seed: exit status $status"; exit $status; }
    calls=$(echo "$answers" | sed -n '$s/ calls$//p')
    total=$((total + calls))
done
echo "$total calls"
