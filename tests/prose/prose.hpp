#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Prose of Markdown pages and of comments, its sentences, and phrases to avoid.
namespace vinculum::prose {

struct Line {
  int number = 0;
  std::string text;
};
/// Lines that are read as one text: a paragraph, a list item, a table cell, a comment.
using Block = std::vector<Line>;

inline std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

inline std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1));
}

/// Code points, one column each.
inline std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

/// A line without addresses and targets of links, which cannot be broken.
inline std::string without_targets(std::string text) {
  for (std::size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 1)) {
    const std::size_t end = text.find(')', at);
    if (end != std::string::npos) text.erase(at + 1, end - at);
  }
  for (std::size_t at = text.find("://"); at != std::string::npos; at = text.find("://")) {
    const std::size_t begin = text.find_last_of(" (<\"", at) + 1;
    text.erase(begin, std::min(text.find_first_of(" )>\"", at), text.size()) - begin);
  }
  return text;
}

/// Indentation of the text of a list item; nothing if the line begins no item.
inline std::optional<std::size_t> item_indent(const std::string& line) {
  const std::size_t begin = line.find_first_not_of(' ');
  if (begin == std::string::npos) return {};
  std::size_t end = begin;
  if (line[begin] == '*' || line[begin] == '-' || line[begin] == '+') {
    end = begin + 1;
  } else {
    while (end < line.size() && std::isdigit(static_cast<unsigned char>(line[end])) != 0) ++end;
    if (end == begin || end == line.size() || line[end] != '.') return {};
    ++end;
  }
  if (end >= line.size() || line[end] != ' ') return {};
  return line.find_first_not_of(' ', end);
}

/// Prose of a Markdown page, without code blocks (fenced or indented) and HTML.
class Page {
 public:
  explicit Page(const std::string& text) {
    int number = 0;
    for (const std::string& line : lines_of(text)) read(line, ++number);
    end_block();
  }

  std::vector<Block> blocks;
  std::vector<Block> headings;
  std::vector<Line> lines;  ///< outside of tables

 private:
  void read(const std::string& line, int number) {
    const std::string text = trimmed(line);
    if (text.starts_with("```") || text.starts_with("~~~")) {
      end_block();
      is_fenced_ = !is_fenced_;
    } else if (is_fenced_) {
      return;
    } else if (text.empty() || text.starts_with('<') || text.starts_with("![")) {
      end_block();
    } else if (text.starts_with('|')) {
      end_block();
      read_cells(text, number);
    } else if (text.starts_with('#')) {
      end_block();
      item_ = 0;
      headings.push_back({{number, text}});
    } else {
      read_prose(line, text, number);
    }
  }

  void read_prose(const std::string& line, const std::string& text, int number) {
    const std::size_t indent = line.find_first_not_of(' ');
    const std::optional<std::size_t> item = item_indent(line);
    if (block_.empty() && !item && indent == 0) item_ = 0;
    if (block_.empty() && !(item && indent < item_ + 4) && indent >= item_ + 4) return;  // code
    if (item) {
      end_block();
      item_ = *item;
    }
    block_.push_back({number, text});
    lines.push_back({number, line});
  }

  void read_cells(const std::string& text, int number) {
    std::string cell;
    for (std::size_t i = 1; i < text.size(); ++i) {
      if (text[i] != '|' || text[i - 1] == '\\') {
        cell += text[i];
        continue;
      }
      if (cell.find_first_not_of(" :-") != std::string::npos) blocks.push_back({{number, trimmed(cell)}});
      cell.clear();
    }
  }

  void end_block() {
    if (!block_.empty()) blocks.push_back(std::exchange(block_, {}));
  }

  Block block_;
  std::size_t item_ = 0;  ///< indentation of the list item that a line may continue
  bool is_fenced_ = false;
};

/// Comments of a program. Consecutive lines are one block.
class Comments {
 public:
  /// \param extension  ".cpp", ".py", …; ".cmake" for CMakeLists.txt
  Comments(const std::string& text, const std::string& extension)
      : is_hash_(extension == ".py" || extension == ".sh" || extension == ".cmake" || extension == ".vin"),
        is_python_(extension == ".py") {
    int number = 0;
    for (const std::string& line : lines_of(text)) {
      has_comment_ = false;
      read(line, ++number);
      if (!has_comment_) end_block();
    }
    end_block();
  }

  std::vector<Block> blocks;
  std::vector<Line> lines;  ///< of comments that follow no code

 private:
  void read(const std::string& line, int number) {
    bool follows_code = false;
    for (std::size_t at = 0; at < line.size();) {
      if (!end_of_comment_.empty()) {
        const std::size_t end = line.find(end_of_comment_, at);
        add(line, at, std::min(end, line.size()), number, follows_code);
        if (end == std::string::npos) return;
        at = end + end_of_comment_.size();
        end_of_comment_.clear();
      } else if (!end_of_string_.empty()) {
        const std::size_t end = line.find(end_of_string_, at);
        if (end == std::string::npos) return;
        at = end + end_of_string_.size();
        end_of_string_.clear();
      } else {
        at = read_code(line, at, number, follows_code);
      }
    }
  }

  /// Reads one token of code. \returns where the next one begins.
  std::size_t read_code(const std::string& line, std::size_t at, int number, bool& follows_code) {
    const std::string_view rest = std::string_view(line).substr(at);
    if (is_hash_ ? rest[0] == '#' && (at == 0 || line[at - 1] == ' ') : rest.starts_with("//")) {
      const std::size_t begin = std::min(line.find_first_not_of(is_hash_ ? "#!" : "/<!", at), line.size());
      add(line, begin, line.size(), number, follows_code);
      return line.size();
    }
    if (!is_hash_ && rest.starts_with("/*")) {
      end_of_comment_ = "*/";
      return at + 2;
    }
    if (is_python_ && (rest.starts_with("\"\"\"") || rest.starts_with("'''"))) {
      const bool is_docstring = trimmed(line.substr(0, at)).empty();
      (is_docstring ? end_of_comment_ : end_of_string_) = rest.substr(0, 3);
      return at + 3;
    }
    if (!is_hash_ && rest.starts_with("R\"") && rest.find('(') != std::string_view::npos) {
      const std::size_t open = rest.find('(');
      end_of_string_ = ")" + std::string(rest.substr(2, open - 2)) + "\"";
      return at + open + 1;
    }
    if (rest[0] != ' ') follows_code = true;
    const bool is_quote =
        rest[0] == '"' || (!is_hash_ && rest[0] == '`') || (rest[0] == '\'' && (at == 0 || !is_word(line[at - 1])));
    if (!is_quote) return at + 1;
    std::size_t end = at + 1;
    while (end < line.size() && line[end] != line[at]) end += line[end] == '\\' ? 2 : 1;
    return end + 1;
  }

  static bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

  void add(const std::string& line, std::size_t from, std::size_t to, int number, bool follows_code) {
    std::string text = trimmed(std::string_view(line).substr(from, to - from));
    if (text.starts_with("* ")) text.erase(0, 2);
    const bool continues = !follows_code && (!is_trailing_ || from == column_);
    if (!continues || text.empty()) end_block();
    if (block_.empty()) is_trailing_ = follows_code;
    column_ = from;
    if (text.empty()) return;
    block_.push_back({number, text});
    has_comment_ = true;
    if (!follows_code) lines.push_back({number, line});
  }

  void end_block() {
    if (!block_.empty()) blocks.push_back(std::exchange(block_, {}));
  }

  bool is_hash_, is_python_;
  Block block_;
  bool has_comment_ = false;                    ///< the line
  bool is_trailing_ = false;                    ///< the block follows code
  std::size_t column_ = 0;                      ///< of the last line of the block
  std::string end_of_comment_, end_of_string_;  ///< not empty: a comment or a string is open, and ends with this
};

/// A word, "<number>", "`" for code, or a punctuation mark.
struct Token {
  std::string text;
  int line = 0;
  bool begins_phrase = false;  ///< after . ! ? : or at the beginning of a block
  bool ends_sentence = false;

  [[nodiscard]] bool is_word() const {
    const auto c = static_cast<unsigned char>(text[0]);
    return std::isalpha(c) != 0 || c >= 0x80 || text == "`";
  }
};

class Tokens {
 public:
  explicit Tokens(const Block& block) {
    for (const Line& line : block) text_ += line.text + "\n";
    while (at_ < text_.size()) read(block);
  }

  std::vector<Token> all;

 private:
  void read(const Block& block) {
    line_ = block[static_cast<std::size_t>(std::count(text_.begin(), text_.begin() + signed_at(), '\n'))].number;
    const char c = text_[at_];
    if (c == ' ' || c == '\n' || c == '\t' || c == '*' || c == '_') {
      ++at_;
    } else if (c == '`') {
      const std::size_t end = text_.find('`', at_ + 1);
      if (end != std::string::npos) push("`");
      at_ = std::min(end, at_) == at_ && end != std::string::npos ? end + 1 : at_ + 1;
    } else if (text_.compare(at_, 2, "](") == 0) {
      at_ = std::min(text_.find(')', at_), text_.size() - 1) + 1;
    } else if (is_letter(at_)) {
      read_word();
    } else if (is_digit(at_)) {
      read_number();
    } else {
      read_mark();
    }
  }

  void read_word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(at_) || is_digit(at_) || is_joint(at_))) at_ += length(at_);
    if (text_.compare(at_, 3, "://") != 0) return push(text_.substr(begin, at_ - begin));
    at_ = text_.find_first_of(" \n)>", at_);
    push("`");
  }

  void read_number() {
    const auto continues = [this] {
      return is_digit(at_) || ((text_[at_] == '.' || text_[at_] == ',' || text_[at_] == '-') && is_digit(at_ + 1)) ||
             (text_[at_] == 'e' && (is_digit(at_ + 1) || (text_[at_ + 1] == '-' && is_digit(at_ + 2))));
    };
    while (at_ < text_.size() && continues()) ++at_;
    push("<number>");
  }

  void read_mark() {
    const std::size_t begin = at_;
    at_ += length(at_);
    const std::string mark = text_.substr(begin, at_ - begin);
    const bool is_end = (mark == "." || mark == "!" || mark == "?") && is_followed_by_space();
    if (is_end && !all.empty()) all.back().ends_sentence = true;
    all.push_back({mark, line_});
    begins_phrase_ = is_end || (mark == ":" && is_followed_by_space());
  }

  void push(std::string text) {
    all.push_back({std::move(text), line_, begins_phrase_});
    begins_phrase_ = false;
  }

  /// Whether nothing but closing quotes and brackets is in front of the next space.
  [[nodiscard]] bool is_followed_by_space() const {
    const std::size_t next = text_.find_first_not_of(")]\"'*_", at_);
    return next == std::string::npos || text_[next] == ' ' || text_[next] == '\n';
  }

  [[nodiscard]] std::ptrdiff_t signed_at() const { return static_cast<std::ptrdiff_t>(at_); }
  [[nodiscard]] bool is_digit(std::size_t i) const {
    return i < text_.size() && std::isdigit(static_cast<unsigned char>(text_[i])) != 0;
  }
  /// Letters of Latin and Greek.
  [[nodiscard]] bool is_letter(std::size_t i) const {
    const auto c = static_cast<unsigned char>(text_[i]);
    return std::isalpha(c) != 0 || c == 0xC3 || c == 0xCE || c == 0xCF || text_.compare(i, 2, "µ") == 0;
  }
  /// An apostrophe, a hyphen or an underscore between letters.
  [[nodiscard]] bool is_joint(std::size_t i) const {
    const bool joins = text_[i] == '\'' || text_[i] == '-' || text_[i] == '_' || text_.compare(i, 3, "’") == 0;
    const std::size_t next = i + length(i);
    return joins && next < text_.size() && (is_letter(next) || is_digit(next));
  }
  /// Bytes of the code point.
  [[nodiscard]] std::size_t length(std::size_t i) const {
    std::size_t end = i + 1;
    while (end < text_.size() && (text_[end] & 0xC0) == 0x80) ++end;
    return end - i;
  }

  std::string text_;
  std::size_t at_ = 0;
  int line_ = 0;
  bool begins_phrase_ = true;
};

/// Words of a sentence with its line.
struct Sentence {
  int line = 0;
  std::size_t words = 0;
  std::string begin;  ///< its first words
};

inline std::vector<Sentence> sentences_of(const Block& block) {
  std::vector<Sentence> found;
  bool is_new = true;
  for (const Token& token : Tokens(block).all) {
    if (token.is_word()) {
      if (std::exchange(is_new, false)) found.push_back({token.line, 0, {}});
      Sentence& sentence = found.back();
      if (++sentence.words <= 8) sentence.begin += (sentence.begin.empty() ? "" : " ") + token.text;
    }
    if (token.ends_sentence) is_new = true;
  }
  return found;
}

struct Match {
  int line = 0;
  std::string words, instead;
};

/// Phrases to avoid (phrases.txt).
class Phrases {
 public:
  explicit Phrases(const std::string& text) {
    for (const std::string& line : lines_of(text)) {
      if (line.empty() || line.starts_with('#')) continue;
      const std::size_t arrow = line.find(" => ");
      if (arrow == std::string::npos) {
        wrong.push_back(line);
      } else {
        add(line.substr(0, arrow), trimmed(line.substr(arrow + 4)));
      }
    }
  }

  [[nodiscard]] std::vector<Match> in(const Block& block) const {
    std::vector<Match> found;
    const std::vector<Token> tokens = Tokens(block).all;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      for (const std::string& key : {lowered(tokens[i]), tokens[i].text}) {
        const auto [begin, end] = by_word_.equal_range(key);
        for (auto it = begin; it != end; ++it) match(it->second, tokens, i, found);
        if (key == tokens[i].text) break;
      }
    }
    return found;
  }

  [[nodiscard]] std::size_t size() const { return phrases_.size(); }
  std::vector<std::string> wrong;  ///< lines that are neither a phrase nor a comment

 private:
  struct Element {
    std::vector<std::string> words;  ///< empty: any
    bool is_negated = false;
  };
  struct Phrase {
    std::vector<Element> elements;
    std::size_t key = 0;  ///< the element under whose words it is found
    bool begins_sentence = false;
    std::string instead;
  };

  void add(const std::string& pattern, std::string instead) {
    Phrase phrase;
    phrase.instead = std::move(instead);
    std::istringstream words(pattern);
    for (std::string word; words >> word;) {
      if (word == "^") {
        phrase.begins_sentence = true;
        continue;
      }
      Element element;
      element.is_negated = word[0] == '!';
      if (element.is_negated) word.erase(0, 1);
      std::istringstream choices(word);
      if (word != "*") {
        for (std::string choice; std::getline(choices, choice, '|');) element.words.push_back(choice);
      }
      phrase.elements.push_back(element);
    }
    const auto is_key = [](const Element& element) { return !element.is_negated && !element.words.empty(); };
    const auto key = std::ranges::find_if(phrase.elements, is_key);
    if (key == phrase.elements.end()) return wrong.push_back(pattern);
    phrase.key = static_cast<std::size_t>(key - phrase.elements.begin());
    for (const std::string& word : key->words) by_word_.emplace(word, phrases_.size());
    phrases_.push_back(std::move(phrase));
  }

  /// The word as it is within a sentence.
  static std::string lowered(const Token& token) {
    std::string text = token.text;
    if (token.begins_phrase) text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
    return text;
  }

  static bool fits(const Element& element, const Token& token) {
    if (!token.is_word() && token.text != "<number>") return false;
    if (element.words.empty()) return true;
    const bool is_there = std::ranges::find(element.words, lowered(token)) != element.words.end() ||
                          std::ranges::find(element.words, token.text) != element.words.end();
    return is_there != element.is_negated;
  }

  void match(std::size_t index, const std::vector<Token>& tokens, std::size_t at, std::vector<Match>& found) const {
    const Phrase& phrase = phrases_[index];
    if (at < phrase.key) return;
    const std::size_t begin = at - phrase.key;
    if (begin + phrase.elements.size() > tokens.size()) return;
    if (phrase.begins_sentence && !tokens[begin].begins_phrase) return;
    std::string words;
    for (std::size_t i = 0; i < phrase.elements.size(); ++i) {
      if (!fits(phrase.elements[i], tokens[begin + i])) return;
      words += (i == 0 ? "" : " ") + tokens[begin + i].text;
    }
    found.push_back({tokens[begin].line, words, phrase.instead});
  }

  std::vector<Phrase> phrases_;
  std::multimap<std::string, std::size_t> by_word_;
};

}  // namespace vinculum::prose
