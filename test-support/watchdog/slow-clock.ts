/**
 * What the clock bounds must not be decided by how fast a machine is: in tests it hardly moves, and work ends by its steps.
 * Tests of the clock itself have one of their own (`vi.spyOn(performance, 'now')`).
 */
let now = performance.now();
performance.now = () => (now += 1e-6);
