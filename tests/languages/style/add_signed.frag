#version 330 core
uniform sampler2D texture0;
uniform sampler2D texture1;
in vec4 primary_color;
in vec2 texcoord0;
in vec2 texcoord1;
out vec4 fragment_color;

void main()
{
    vec4 color = texture(texture0, texcoord0) * primary_color;
    color.rgb = clamp(color.rgb + texture(texture1, texcoord1).rgb - 0.5, 0.0, 1.0);
    fragment_color = color;
}
