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
uniform mat4 modelview;
uniform mat4 projection;
uniform mat3 normal_matrix;
uniform vec3 scene_color;
uniform float material_alpha;
uniform float shininess;
uniform Light light[1];
out vec4 primary_color;

void main()
{
    gl_Position = projection * (modelview * vertex_position);
    vec3 normal = normal_matrix * vertex_normal;
    vec3 color = scene_color + light[0].ambient;
    float diffuse = dot(normal, light[0].position);
    if (diffuse > 0.0) {
        float specular = pow(max(dot(normal, light[0].half_vector), 0.0), shininess);
        color += diffuse * light[0].diffuse + specular * light[0].specular;
    }
    primary_color = clamp(vec4(color, material_alpha), 0.0, 1.0);
}
