#version 330 core
uniform sampler2D texture0;
in vec4 primary_color;
in vec2 texcoord0;
out vec4 fragment_color;

void main()
{
    vec4 decal = texture(texture0, texcoord0);
    fragment_color = vec4(mix(primary_color.rgb, decal.rgb, decal.a), primary_color.a);
}
