// Formulas in a line of text as MathML: every construct, and what is no formula.
#include "tests/catch.h"

#include "tests/message_of.h"
#include "tutorials/support/formula.h"

#include <stdexcept>

using namespace tutorial;

namespace {
// What stands in <math …><mrow>…</mrow></math>.
std::string drawn(const std::string& formula) {
    const std::string math = formula_as_mathml(formula);
    const std::string begin = "\"><mrow>", end = "</mrow></math>";
    const std::size_t at = math.find(begin) + begin.size();
    return math.substr(at, math.size() - at - end.size());
}

// A word, which is upright; single letters are italic.
std::string word(const std::string& letters) {
    return "<mi class=\"upright\">" + letters + "</mi>";
}

std::string refused(const std::string& formula) {
    return message_of<std::invalid_argument>([&] { formula_as_mathml(formula); });
}

}  // namespace

TEST_CASE("letters, words, numbers and signs have their elements", "[tutorials][formula]") {
    CHECK(drawn("y = 0.5") == "<mi>y</mi><mo>=</mo><mn>0.5</mn>");
    CHECK(drawn("-z + 1e-8") == "<mo>−</mo><mi>z</mi><mo>+</mo><mn>1e-8</mn>");
    CHECK(drawn("2b ≤ ∞") == "<mn>2</mn><mi>b</mi><mo>≤</mo><mn>∞</mn>");
    CHECK(drawn("loss < ½") == word("loss") + "<mo>&lt;</mo><mn>½</mn>");
    CHECK(drawn("x ∈ ℝ") == "<mi>x</mi><mo>∈</mo>" + word("ℝ"));
    CHECK(drawn("ε·f(x)") ==
          "<mi>ε</mi><mo>·</mo><mi>f</mi><mrow><mo>(</mo><mi>x</mi><mo>)</mo></mrow>");
    CHECK(drawn("Q·K") == "<mi class=\"role-Q\">Q</mi><mo>·</mo><mi class=\"role-K\">K</mi>");
}

TEST_CASE("what stands below or above a letter is lowered or raised", "[tutorials][formula]") {
    CHECK(drawn("a_ij") == "<msub><mi>a</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub>");
    CHECK(drawn("d_k") == "<msub><mi>d</mi><mi>k</mi></msub>");
    CHECK(drawn("d_model") == "<msub><mi>d</mi>" + word("model") + "</msub>");
    CHECK(drawn("x_{i+1}") == "<msub><mi>x</mi><mrow><mi>i</mi><mo>+</mo><mn>1</mn></mrow></msub>");
    CHECK(drawn("W^Q") == "<msup><mi>W</mi><mi class=\"role-Q\">Q</mi></msup>");
    CHECK(drawn("e^{-x}") == "<msup><mi>e</mi><mrow><mo>−</mo><mi>x</mi></mrow></msup>");
    CHECK(drawn("2^(-8)") == "<msup><mn>2</mn><mrow><mo>−</mo><mn>8</mn></mrow></msup>");
    CHECK(drawn("x²") == "<msup><mi>x</mi><mn>2</mn></msup>");
    CHECK(drawn("e⁻⁴⁰") == "<msup><mi>e</mi><mrow><mo>−</mo><mn>4</mn><mn>0</mn></mrow></msup>");
    CHECK(drawn("Wᵀ") == "<msup><mi>W</mi><mi>T</mi></msup>");
    CHECK(drawn("W₂") == "<msub><mi>W</mi><mn>2</mn></msub>");
    CHECK(drawn("h_iᵀ") == "<msubsup><mi>h</mi><mi>i</mi><mi>T</mi></msubsup>");
    CHECK(drawn("b_θ") == "<msub><mi>b</mi><mi>θ</mi></msub>");
    CHECK(drawn("W^Kᵀ") ==
          "<msup><mi>W</mi><mrow><mi class=\"role-K\">K</mi><mi>T</mi></mrow></msup>");
    CHECK(drawn("m\u0302") == "<mover><mi>m</mi><mo>^</mo></mover>");
    CHECK(drawn("x\u0304_i") == "<msub><mover><mi>x</mi><mo>¯</mo></mover><mi>i</mi></msub>");
}

TEST_CASE("words and numbers are as far apart as they were written", "[tutorials][formula]") {
    const std::string apart = "<mspace width=\"0.25em\"></mspace>";
    CHECK(drawn("grad of 32") == word("grad") + apart + word("of") + apart + "<mn>32</mn>");
    CHECK(drawn("2b") == "<mn>2</mn><mi>b</mi>");
    CHECK(drawn("a · b") == "<mi>a</mi><mo>·</mo><mi>b</mi>");
}

TEST_CASE("a product of derivatives is one fraction after the other", "[tutorials][formula]") {
    const std::string dv = "<mrow>" + word("dv") + "</mrow>";
    CHECK(drawn("dy/dv·dv/du") == "<mfrac><mrow>" + word("dy") + "</mrow>" + dv +
                                      "</mfrac><mo>·</mo><mfrac>" + dv + "<mrow>" + word("du") +
                                      "</mrow></mfrac>");
    CHECK(drawn("∂L/∂v · ∂v/∂u") ==
          "<mfrac><mrow><mo>∂</mo><mi>L</mi></mrow><mrow><mo>∂</mo><mi>v</mi></mrow></mfrac>"
          "<mo>·</mo>"
          "<mfrac><mrow><mo>∂</mo><mi>v</mi></mrow><mrow><mo>∂</mo><mi>u</mi></mrow></mfrac>");
}

TEST_CASE("what follows a formula without a space stays on its line", "[tutorials][formula]") {
    const std::string joined =
        "<span class=\"joined\"><math alttext=\"A\"><mrow><mi>A</mi></mrow></math>";
    CHECK(prose_as_html("$A$. Then") == joined + ".</span> Then");
    CHECK(prose_as_html("($A$'s)") == "(" + joined + "&#39;s)</span>");
    CHECK(prose_as_html("$A$ is") == "<math alttext=\"A\"><mrow><mi>A</mi></mrow></math> is");
}

TEST_CASE("a sum has its index below, a root its bar above, brackets what they hold",
          "[tutorials][formula]") {
    CHECK(drawn("Σ_j a_j") ==
          "<munder><mo>∑</mo><mi>j</mi></munder><msub><mi>a</mi><mi>j</mi></msub>");
    CHECK(drawn("Σ_{j≤i}^n x") ==
          "<munderover><mo>∑</mo><mrow><mi>j</mi><mo>≤</mo><mi>i</mi></mrow><mi>n</mi></munderover>"
          "<mi>x</mi>");
    const std::string root =
        "<mrow class=\"root\" intent=\"square-root($x)\"><mpadded width=\"0.6em\" height=\"0.9em\" "
        "depth=\"0.2em\"><mtext>√</mtext></mpadded><mrow arg=\"x\">";
    CHECK(drawn("√d_k") == root + "<msub><mi>d</mi><mi>k</mi></msub></mrow></mrow>");
    CHECK(drawn("√(x·x)") == root + "<mi>x</mi><mo>·</mo><mi>x</mi></mrow></mrow>");
    CHECK(drawn("‖x‖²") == "<msup><mrow><mo>‖</mo><mi>x</mi><mo>‖</mo></mrow><mn>2</mn></msup>");
    CHECK(drawn("‖a/b‖") == "<mrow><mo>‖</mo><mfrac><mrow><mi>a</mi></mrow><mrow><mi>b</mi></mrow>"
                            "</mfrac><mo>‖</mo></mrow>");
    CHECK(drawn("|i - j|") == "<mrow><mo>|</mo><mi>i</mi><mo>−</mo><mi>j</mi><mo>|</mo></mrow>");
    CHECK(drawn("[c = y]") == "<mrow><mo>[</mo><mi>c</mi><mo>=</mo><mi>y</mi><mo>]</mo></mrow>");
}

TEST_CASE("a slash is a line between what stands above and below it", "[tutorials][formula]") {
    CHECK(drawn("1/n") == "<mfrac><mrow><mn>1</mn></mrow><mrow><mi>n</mi></mrow></mfrac>");
    CHECK(drawn("(a + b) / c") ==
          "<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mrow><mi>c</mi></mrow></mfrac>");
    CHECK(drawn("x + a·b/c·d") ==
          "<mi>x</mi><mo>+</mo><mfrac><mrow><mi>a</mi><mo>·</mo><mi>b</mi></mrow><mrow><mi>c</mi>"
          "</mrow></mfrac><mo>·</mo><mi>d</mi>");
    CHECK(drawn("3·∂L/∂A") ==
          "<mn>3</mn><mo>·</mo><mfrac><mrow><mo>∂</mo><mi>L</mi></mrow><mrow><mo>∂</mo><mi>A</mi>"
          "</mrow></mfrac>");
    CHECK(drawn("a / Σ_k exp(k) + 1") ==
          "<mfrac><mrow><mi>a</mi></mrow><mrow><munder><mo>∑</mo><mi>k</mi></munder>" +
              word("exp") +
              "<mrow><mo>(</mo><mi>k</mi><mo>)</mo></mrow></mrow></mfrac><mo>+</mo><mn>1</mn>");
}

TEST_CASE("cases stand below each other", "[tutorials][formula]") {
    CHECK(drawn("y = {x if x > 0; 0 otherwise}") ==
          "<mi>y</mi><mo>=</mo><mrow><mo>{</mo><mtable><mtr><mtd><mi>x</mi><mtext>\u00a0if\u00a0"
          "</mtext><mi>x</mi><mo>&gt;</mo><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn><mtext>\u00a0"
          "otherwise\u00a0</mtext></mtd></mtr></mtable></mrow>");
}

TEST_CASE("a formula keeps its text, and four spaces keep two apart", "[tutorials][formula]") {
    CHECK(
        formula_as_mathml("a<b", true) ==
        "<math alttext=\"a&lt;b\" display=\"block\"><mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi></mrow>"
        "</math>");
    CHECK(drawn("a    b") == "<mi>a</mi><mspace width=\"2em\"></mspace><mi>b</mi>");
    CHECK(drawn("a    = b") == "<mi>a</mi><mo>=</mo><mi>b</mi>");
}

TEST_CASE("prose is text with formulas between dollars, and the terminal has no dollars",
          "[tutorials][formula]") {
    CHECK(without_marks("the root of $d_k$, as <b>") == "the root of d_k, as <b>");
    CHECK(prose_as_html("a $b$ <c>") ==
          "a <math alttext=\"b\"><mrow><mi>b</mi></mrow></math> &lt;c&gt;");
    CHECK_THAT(prose_as_html("$y = a + b + c + d + e + f + g$"),
               Contains("<span class=\"long\" tabindex=\"0\"><math "));
    CHECK(prose_as_html("") == "");
}

TEST_CASE("what is no formula is refused in words", "[tutorials][formula]") {
    CHECK(refused("a}") == "formula: \"a}\" has a } that closes nothing");
    CHECK(refused("x_{i") == "formula: \"x_{i\" lacks a }");
    CHECK(refused("{a if b; c") == "formula: \"{a if b; c\" lacks a }");
    CHECK(refused("{a}") ==
          "formula: \"{a}\" has braces that are neither a script nor cases such as {a if b; c}");
    CHECK(refused("(a") == "formula: \"(a\" lacks a )");
    CHECK(refused("|a") == "formula: \"|a\" lacks a |");
    CHECK(refused("x_") == "formula: \"x_\" has an empty script");
    CHECK(refused("²") == "formula: \"²\" has a script of nothing, ²");
    CHECK(refused("√") == "formula: \"√\" has a root of nothing");
    CHECK(refused("/a") == "formula: \"/a\" divides nothing");
    CHECK(refused("a/") == "formula: \"a/\" divides by nothing");
    CHECK(message_of<std::invalid_argument>([] { prose_as_html("a $b"); }) ==
          "prose: one dollar has no other after it: \"$b\"");
}
