#version 330 core
uniform sampler2D texture0;
uniform vec4 texenv_color[1];
in vec4 primary_color;
in vec2 texcoord0;
out vec4 fragment_color;

void main()
{
    vec4 texel = texture(texture0, texcoord0);
    fragment_color.rgb = mix(primary_color.rgb, texenv_color[0].rgb, texel.rgb);
    fragment_color.a = primary_color.a * texel.a;
}
