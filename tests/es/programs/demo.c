/* A scene with lighting, texture and fog, drawn like a typical OpenGL 1.1 program: a checkered floor, and a
 * torus in a display list. */
#include <GL/glut.h>

#include <math.h>

enum { RINGS = 24, SIDES = 12, TEXELS = 16 };

static float angle = 30;

static void corner(int ring, int side)
{
    const double turn = 6.283185307179586, a = turn * ring / RINGS, b = turn * side / SIDES;
    const float x = (float)cos(a), z = (float)sin(a), out = (float)cos(b), up = (float)sin(b);
    glTexCoord2f(8.0f * (float)ring / RINGS, 2.0f * (float)side / SIDES);
    glNormal3f(x * out, up, z * out);
    glVertex3f(x * (1 + 0.4f * out), 0.4f * up, z * (1 + 0.4f * out));
}

static void make_torus(void)
{
    glNewList(1, GL_COMPILE);
    for (int ring = 0; ring < RINGS; ring++) {
        glBegin(GL_QUAD_STRIP);
        for (int side = 0; side <= SIDES; side++) {
            corner(ring, side);
            corner(ring + 1, side);
        }
        glEnd();
    }
    glEndList();
}

static void make_texture(void)
{
    GLubyte texel[TEXELS][TEXELS][3];
    for (int y = 0; y < TEXELS; y++)
        for (int x = 0; x < TEXELS; x++)
            for (int c = 0; c < 3; c++)
                texel[y][x][c] = (x ^ y) & 8 ? 255 : (GLubyte)(60 + 40 * c);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, TEXELS, TEXELS, 0, GL_RGB, GL_UNSIGNED_BYTE, texel);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
}

static void init(void)
{
    static const GLfloat position[4] = {2, 3, 4, 0}, shine[4] = {1, 1, 1, 1}, fog[4] = {0.5f, 0.6f, 0.7f, 1};
    glEnable(GL_LIGHTING);
    glEnable(GL_LIGHT0);
    glLightfv(GL_LIGHT0, GL_POSITION, position);
    glMaterialfv(GL_FRONT, GL_SPECULAR, shine);
    glMaterialf(GL_FRONT, GL_SHININESS, 30);
    glEnable(GL_COLOR_MATERIAL);
    glEnable(GL_FOG);
    glFogi(GL_FOG_MODE, GL_LINEAR);
    glFogf(GL_FOG_START, 4);
    glFogf(GL_FOG_END, 12);
    glFogfv(GL_FOG_COLOR, fog);
    glClearColor(fog[0], fog[1], fog[2], fog[3]);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_TEXTURE_2D);
    make_texture();
    make_torus();
}

static void display(void)
{
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
    glTranslatef(0, 0, -5);
    glRotatef(20, 1, 0, 0);
    glColor3f(0.7f, 0.7f, 0.6f);
    glBegin(GL_QUADS);
    glNormal3f(0, 1, 0);
    for (int i = 0; i < 4; i++) {
        const float x = i == 1 || i == 2 ? 6 : -6, z = i > 1 ? -6 : 6;
        glTexCoord2f(x, z);
        glVertex3f(x, -1.2f, z);
    }
    glEnd();
    glRotatef(angle, 0.3f, 1, 0.2f);
    glColor3f(1, 0.5f, 0.3f);
    glCallList(1);
    glutSwapBuffers();
}

static void idle(void)
{
    angle += 1;
    glutPostRedisplay();
}

static void reshape(int width, int height)
{
    glViewport(0, 0, width, height);
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glFrustum(-0.5 * width / height, 0.5 * width / height, -0.5, 0.5, 1, 20);
}

int main(int argc, char **argv)
{
    glutInit(&argc, argv);
    glutInitDisplayMode(GLUT_RGB | GLUT_DOUBLE | GLUT_DEPTH);
    glutInitWindowSize(300, 300);
    glutCreateWindow("demo");
    init();
    glutDisplayFunc(display);
    glutReshapeFunc(reshape);
    glutIdleFunc(idle);
    glutMainLoop();
    return 0;
}
