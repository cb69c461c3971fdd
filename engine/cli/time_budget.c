/* A share of the clock for each move that is still to come. */
#include "engine/cli/time_budget.h"

/* Moves a game is expected to go on where no control says so; kept of the clock and of each move;
   the most of the clock that one move may take. */
static const double expected_moves = 25;
static const double reserve = 0.05;
static const double increment_share = 0.8;
static const double most_of_clock = 0.4;
static const double least = 0.001;

double dama_time_budget(double left, double increment, int moves)
{
    double usable = left > 2 * reserve ? left - reserve : left / 2;
    double share = usable / (moves > 0 ? moves : expected_moves) + increment_share * increment;
    double most = moves == 1 ? usable : most_of_clock * usable;
    double budget = share < most ? share : most;
    return budget > least ? budget : least;
}
