/** Mutated code is slow, and the machine may be busy: in these runs the clock that bounds evaluations hardly moves. */
let now = performance.now();
performance.now = () => (now += 1e-6);
