#include "vinculum/lang/clause_comments.hpp"

#include <string>
#include <vector>

namespace vinculum::lang {
namespace {

void place(const Comment& comment, std::vector<Clause>& clauses, std::vector<std::string>& under);

// Assigns a comment that lies between the `if` of a choice and its last `}`.
void place_inside(const Comment& comment, Clause& clause) {
  auto& choice = std::get<ClauseChoice>(clause.what);
  const bool is_in_head =
      comment.begin < choice.then_range.begin || (comment.line == choice.first_line && !comment.is_whole_line);
  if (is_in_head && clause.comment_behind.empty()) {
    clause.comment_behind = comment.text;
  } else if (comment.begin < choice.then_range.end || !choice.has_else) {
    place(comment, choice.then, choice.comments_at_end_of_then);
  } else {
    place(comment, choice.otherwise, choice.comments_at_end_of_else);
  }
}

void place(const Comment& comment, std::vector<Clause>& clauses, std::vector<std::string>& under) {
  std::size_t begun = 0;  // number of clauses that begin before the comment
  while (begun < clauses.size() && clauses[begun].range.begin < comment.begin) ++begun;
  Clause* behind = begun == 0 ? nullptr : &clauses[begun - 1];
  const bool is_inside = behind != nullptr && comment.begin < behind->range.end;
  auto* choice = behind == nullptr ? nullptr : std::get_if<ClauseChoice>(&behind->what);
  if (choice != nullptr) {
    if (is_inside) return place_inside(comment, *behind);
    if (!comment.is_whole_line) {  // after the last `}` of the choice
      (choice->has_else ? choice->comments_at_end_of_else : choice->comments_at_end_of_then).emplace_back(comment.text);
      return;
    }
  } else if (behind != nullptr && !comment.is_whole_line && behind->comment_behind.empty()) {
    behind->comment_behind = comment.text;
    return;
  } else if (is_inside || (behind != nullptr && !comment.is_whole_line)) {
    behind->comments_before.emplace_back(comment.text);
    return;
  }
  (begun < clauses.size() ? clauses[begun].comments_before : under).emplace_back(comment.text);
}

}  // namespace

void place_comments(std::span<const Comment> comments, Statement& statement) {
  std::vector<Clause> none;
  auto* constraint = std::get_if<ConstraintStatement>(&statement.node);
  auto* joint = std::get_if<JointStatement>(&statement.node);
  auto* event = std::get_if<EventStatement>(&statement.node);
  std::vector<Clause>& clauses = constraint != nullptr ? constraint->clauses
                                 : joint != nullptr    ? joint->clauses
                                 : event != nullptr    ? event->clauses
                                                       : none;
  for (const Comment& comment : comments) place(comment, clauses, statement.comments_under);
}

}  // namespace vinculum::lang
