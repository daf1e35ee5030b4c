import { ToolInputParsingException } from '@langchain/core/tools';
import type { InvalidArgumentsError } from '../index.js';

/** LangChain's own error for arguments that do not fit, with every violation on it. */
export class InvalidToolInputException extends ToolInputParsingException {
  readonly code = 'INVALID_ARGUMENTS';
  /** What the schema refused. */
  readonly violations: InvalidArgumentsError['violations'];
  /** The same for programs, values that may be secrets masked. */
  readonly report: InvalidArgumentsError['report'];

  constructor(error: InvalidArgumentsError, received: unknown) {
    super(error.message, JSON.stringify(received));
    this.name = 'InvalidToolInputException';
    this.violations = error.violations;
    this.report = error.report;
    this.cause = error;
  }
}
