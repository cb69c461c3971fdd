/* The engine signature: what `bench` finds. Searches of one signature play the same games; the
   test of bench proves the number, and a commit that changes it says so. */
#ifndef DAMA_SIGNATURE_H
#define DAMA_SIGNATURE_H

#define DAMA_ENGINE_SIGNATURE 0x1c2f01a0u

#endif
