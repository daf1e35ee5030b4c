import { isOwnInstance, ownClass, shortened } from '../../json/index.js';

/** Thrown if a value typed into a form does not fit its field. */
export class FormValueError extends Error {
  /** @internal */
  static readonly [ownClass] = 'FormValueError';
  override readonly name = 'FormValueError';
  readonly code = 'INVALID_FORM_VALUE';
  readonly field: string;
  readonly expected: 'array' | 'object' | 'date' | 'number';

  /** @internal */
  static override readonly [Symbol.hasInstance] = isOwnInstance;

  constructor(field: string, expected: FormValueError['expected'], received: string) {
    const wanted = {
      array: 'an array as JSON',
      object: 'an object as JSON',
      date: 'a date',
      number: 'an exact number',
    };
    super(`The field "${shortened(field, 100)}" takes ${wanted[expected]}; received ${received}.`);
    this.field = field;
    this.expected = expected;
  }
}
