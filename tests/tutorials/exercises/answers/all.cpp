// The answers to all exercises, in order.
#include "tests/tutorials/exercises/answers/all.h"

namespace exercise {

Answers answers_01_1();
Answers answers_01_2();
Answers answers_01_3();
Answers answers_01_4();
Answers answers_01_5();
Answers answers_02_1();
Answers answers_02_2();
Answers answers_02_3();
Answers answers_02_4();
Answers answers_02_5();
Answers answers_02_6();
Answers answers_02_7();
Answers answers_02_8();
Answers answers_02_9();
Answers answers_03_1();
Answers answers_03_2();
Answers answers_03_3();
Answers answers_03_4();
Answers answers_04_1();
Answers answers_04_2();
Answers answers_05_1();
Answers answers_05_2();
Answers answers_05_3();
Answers answers_05_4();
Answers answers_06_1();
Answers answers_06_2();
Answers answers_07_1();
Answers answers_07_2();
Answers answers_07_3();
Answers answers_07_4();
Answers answers_07_5();
Answers answers_08_1();
Answers answers_08_2();
Answers answers_08_3();
Answers answers_08_4();
Answers answers_08_5();
Answers answers_09_1();
Answers answers_09_2();
Answers answers_09_3();
Answers answers_09_4();
Answers answers_09_5();
Answers answers_09_6();
Answers answers_09_7();
Answers answers_09_8();
Answers answers_10_1();
Answers answers_10_2();
Answers answers_10_3();
Answers answers_11_1();
Answers answers_11_2();
Answers answers_12_1();
Answers answers_12_2();
Answers answers_12_3();
Answers answers_12_4();
Answers answers_13_1();
Answers answers_13_2();
Answers answers_14_1();
Answers answers_14_2();
Answers answers_14_3();
Answers answers_14_4();
Answers answers_15_1();
Answers answers_15_2();
Answers answers_16_1();
Answers answers_16_2();
Answers answers_17_1();
Answers answers_17_2();
Answers answers_18_1();
Answers answers_18_2();
Answers answers_19_1();
Answers answers_19_2();
Answers answers_19_3();

std::vector<Answers> all_answers() {
    return {
        answers_01_1(), answers_01_2(), answers_01_3(), answers_01_4(), answers_01_5(),
        answers_02_1(), answers_02_2(), answers_02_3(), answers_02_4(), answers_02_5(),
        answers_02_6(), answers_02_7(), answers_02_8(), answers_02_9(), answers_03_1(),
        answers_03_2(), answers_03_3(), answers_03_4(), answers_04_1(), answers_04_2(),
        answers_05_1(), answers_05_2(), answers_05_3(), answers_05_4(), answers_06_1(),
        answers_06_2(), answers_07_1(), answers_07_2(), answers_07_3(), answers_07_4(),
        answers_07_5(), answers_08_1(), answers_08_2(), answers_08_3(), answers_08_4(),
        answers_08_5(), answers_09_1(), answers_09_2(), answers_09_3(), answers_09_4(),
        answers_09_5(), answers_09_6(), answers_09_7(), answers_09_8(), answers_10_1(),
        answers_10_2(), answers_10_3(), answers_11_1(), answers_11_2(), answers_12_1(),
        answers_12_2(), answers_12_3(), answers_12_4(), answers_13_1(), answers_13_2(),
        answers_14_1(), answers_14_2(), answers_14_3(), answers_14_4(), answers_15_1(),
        answers_15_2(), answers_16_1(), answers_16_2(), answers_17_1(), answers_17_2(),
        answers_18_1(), answers_18_2(), answers_19_1(), answers_19_2(), answers_19_3(),
    };
}

}  // namespace exercise
