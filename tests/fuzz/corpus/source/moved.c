5class E :const c0d::string &s, int &r) const s(int n) { for (int i = 0; lList( };
namespace n { templ^ thÿÿÿÿs(teE::ADD);URE_ENV_MODE, i ? GL_ADD : GL_DECAL); } while (n) { glEnable(0x0DE1); if (n++ > 2) break; e; } do n--; set(r ? ADD :÷ E::ADD); A<int> x = new A<int>(3); delete x; } }
