# Unit tests of the library, one program each.
foreach(name classes constants setters vertex values canon registers text c_token names shader_names fragment
    words key import targets first_descent sweep rules say pair pair_cache r200 i830 r300 pica200 machine)
    add_executable(unit_${name} unit/${name}.c)
    target_link_libraries(unit_${name} PRIVATE texenv_inside m)
    tests_add(unit_${name} short unit_${name})
endforeach()
