#version 330 core
uniform sampler2D texture0;
uniform vec4 fog_color;
uniform float fog_density;
in vec4 primary_color;
in vec2 texcoord0;
in float fog_coord;
out vec4 fragment_color;

void main()
{
    vec4 color = texture(texture0, texcoord0) * primary_color;
    float fog = exp(-fog_density * fog_coord);
    fragment_color = vec4(mix(fog_color.rgb, color.rgb, fog), color.a);
}
