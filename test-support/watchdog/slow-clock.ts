/**
 * The machine's speed must not decide the outcome of work that the clock bounds. In tests the clock hardly moves, and
 * work ends by its steps. Tests of the clock itself replace it (`vi.spyOn(performance, 'now')`).
 */
let now = performance.now();
performance.now = () => (now += 1e-6);
