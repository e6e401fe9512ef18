#version 330 core
layout(location = 0) in vec4 vertex_position;
layout(location = 2) in vec3 vertex_normal;
uniform mat4 modelview;
uniform mat4 projection;
uniform mat3 normal_matrix;
out vec2 texcoord0;

void main()
{
    vec4 eye_position = modelview * vertex_position;
    gl_Position = projection * eye_position;
    vec3 normal = normalize(normal_matrix * vertex_normal);
    vec3 reflection = reflect(normalize(eye_position.xyz), normal);
    float m = 2.0 * length(reflection + vec3(0.0, 0.0, 1.0));
    texcoord0 = reflection.xy / m + 0.5;
}
