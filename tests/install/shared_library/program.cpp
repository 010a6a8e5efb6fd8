extern "C" double weight_of_itself();

int main() { return weight_of_itself() == 0.5 ? 0 : 1; }
