#include "tutorials/exercises/judges/01_2_broadcasting_mistakes.h"

namespace exercise {

std::vector<Mistake> broadcasting_mistakes() {
    return {
        {"bc.left-align",
         "the shapes were aligned at their first axis",
         {"Does a [3] beside a [2, 3] stand for a row or for a column?",
          "Write the two shapes below each other, so that their ends meet."}},
        {"bc.first-shape",
         "the sum had the shape of the first of the two",
         {"What if the second one is longer?", "Where does your code look at b?"}},
        {"bc.shorter",
         "only as many axes were kept as the shorter shape has",
         {"How many axes does [4, 1, 3] + [2, 3] have?", "Which of the two ranks ends your loop?"}},
        {"bc.max",
         "the larger length was taken, without asking whether the two fit",
         {"What is [0] + [1]? And [4] + [3]?", "Which two lengths fit each other?"}},
        {"bc.min",
         "the smaller length was taken",
         {"Which of 1 and 3 is repeated?", "Look at an axis where one of the two is 1."}},
        {"bc.no-refusal",
         "shape_of_sum never threw",
         {"Which lengths of [2, 3] and [2] meet, and do they fit?",
          "What does your code do where the lengths differ and neither is 1?"}},
        {"bc.max-of-fitting",
         "the larger length was taken even of 0 and 1",
         {"How often is a row repeated for a tensor with 0 rows?",
          "Which of two lengths that fit is the one that is not repeated?"}},
        {"bc.add-lengths",
         "lengths that differ were added",
         {"How long is an axis of length 1 once it is repeated?",
          "Look at an axis where one of the two is 1."}},
        {"bc.first-entry",
         "only the first entry of the smaller tensor was used",
         {"Which entry of y belongs to column 1?", "Compare columns 0 and 1 of your result."}},
        {"bc.truncate",
         "nothing was added where the smaller tensor has no entry of its own",
         {"What is in row 1 of a row that is repeated?",
          "Compare row 1 of your result with row 1 of x."}},
        {"bc.only-second",
         "only one of the two was ever repeated",
         {"What is the shape of [1, 3] + [2, 1]?", "Where do your loops end?"}},
    };
}

}  // namespace exercise
