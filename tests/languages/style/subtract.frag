#version 330 core
uniform sampler2D texture0;
in vec4 primary_color;
in vec2 texcoord0;
out vec4 fragment_color;

void main()
{
    fragment_color.rgb = clamp(primary_color.rgb - texture(texture0, texcoord0).rgb, 0.0, 1.0);
    fragment_color.a = primary_color.a;
}
