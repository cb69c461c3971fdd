/* The rules that a body is compiled against: constants in a specialised one, the caller's in the
   run-time one. A specialised body defines DAMA_BODY_RULES, the file of its rules. */
#ifndef DAMA_BODY_FIXED_H
#define DAMA_BODY_FIXED_H

#include "engine/rules.h"

/* The hot path is one function after inlining, with constant side and directions; cold paths stay
   out of it. */
#define DAMA_HOT static inline __attribute__((always_inline))
#define DAMA_COLD static __attribute__((noinline, unused))

#ifdef DAMA_BODY_RULES
static const struct dama_rules fixed_rules = {
#include DAMA_BODY_RULES
};

/* Reading fields through this makes every rule test fold away. */
DAMA_HOT const struct dama_rules *fixed(const struct dama_rules *rules)
{
    (void)rules;
    return &fixed_rules;
}
#else
DAMA_HOT const struct dama_rules *fixed(const struct dama_rules *rules)
{
    return rules;
}
#endif

#endif
