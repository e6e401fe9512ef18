# ---- "as short as can be": the optimiser against an exhaustive search for shorter programs ----
add_executable(superopt superopt/superopt.c superopt/chain.c superopt/points.c superopt/program.c superopt/optimiser.c)
target_link_libraries(superopt PRIVATE texenv m)
target_compile_options(superopt PRIVATE -O3) # the search is a loop over points
tests_add(superopt medium superopt -n 10 one two-plain)
if(TEXENV_LONG)
    tests_add(superopt_two long superopt -n 40 two-of-2 two)
endif()
