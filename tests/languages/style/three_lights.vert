#version 330 core
struct Light {
    vec3 position;
    vec3 half_vector;
    vec3 ambient;
    vec3 diffuse;
    vec3 specular;
};
layout(location = 0) in vec4 vertex_position;
layout(location = 2) in vec3 vertex_normal;
layout(location = 8) in vec4 vertex_texcoord0;
uniform mat4 modelview;
uniform mat4 projection;
uniform mat3 normal_matrix;
uniform vec3 scene_color;
uniform float material_alpha;
uniform float shininess;
uniform Light light[3];
out vec4 primary_color;
out vec3 secondary_color;
out vec2 texcoord0;

void main()
{
    gl_Position = projection * (modelview * vertex_position);
    texcoord0 = vertex_texcoord0.xy;
    vec3 normal = normal_matrix * vertex_normal;
    vec3 color = scene_color;
    vec3 specular = vec3(0.0);
    for (int i = 0; i < 3; i++) {
        color += light[i].ambient;
        float diffuse = dot(normal, light[i].position);
        if (diffuse > 0.0) {
            color += diffuse * light[i].diffuse;
            specular += pow(max(dot(normal, light[i].half_vector), 0.0), shininess) * light[i].specular;
        }
    }
    primary_color = clamp(vec4(color, material_alpha), 0.0, 1.0);
    secondary_color = clamp(specular, 0.0, 1.0);
}
