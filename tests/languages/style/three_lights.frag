#version 330 core
uniform sampler2D texture0;
in vec4 primary_color;
in vec3 secondary_color;
in vec2 texcoord0;
out vec4 fragment_color;

void main()
{
    vec4 color = texture(texture0, texcoord0) * primary_color;
    fragment_color = vec4(clamp(color.rgb + secondary_color, 0.0, 1.0), color.a);
}
