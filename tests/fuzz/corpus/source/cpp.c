=class E : public B { public: enum M { ADD = 260 }; E() : u(0) {} void set(M m) const { glEnable(0xDE1); glTexEnvi(0x2300, 0x2200, static_cast<int>(m)); } int u; };
namespace n { template <class T> void E::f(const std::string &s, int &r) { r = ADD; this->set(E::ADD); set(r ? ADD : E::ADD); A<int> x = new A<int>(3); delete x; } }
