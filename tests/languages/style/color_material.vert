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
layout(location = 3) in vec4 vertex_color;
layout(location = 8) in vec4 vertex_texcoord0;
uniform mat4 modelview;
uniform mat4 projection;
uniform mat3 normal_matrix;
uniform vec3 light_model_ambient;
uniform vec3 material_emission;
uniform float shininess;
uniform Light light[1];
out vec4 primary_color;
out vec2 texcoord0;

void main()
{
    gl_Position = projection * (modelview * vertex_position);
    texcoord0 = vertex_texcoord0.xy;
    vec3 normal = normal_matrix * vertex_normal;
    vec3 tracked = light_model_ambient + light[0].ambient;
    vec3 specular = vec3(0.0);
    float diffuse = dot(normal, light[0].position);
    if (diffuse > 0.0) {
        tracked += diffuse * light[0].diffuse;
        specular = pow(max(dot(normal, light[0].half_vector), 0.0), shininess) * light[0].specular;
    }
    vec3 color = material_emission + vertex_color.rgb * tracked + specular;
    primary_color = clamp(vec4(color, vertex_color.a), 0.0, 1.0);
}
