#version 330 core
uniform sampler2D texture0;
uniform sampler2D texture1;
in vec4 primary_color;
in vec2 texcoord0;
in vec2 texcoord1;
out vec4 fragment_color;

void main()
{
    vec3 normal = 2.0 * texture(texture0, texcoord0).rgb - 1.0;
    vec3 light = 2.0 * primary_color.rgb - 1.0;
    float diffuse = clamp(dot(normal, light), 0.0, 1.0);
    fragment_color = vec4(vec3(diffuse), primary_color.a) * texture(texture1, texcoord1);
}
