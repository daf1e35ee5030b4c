import { expect, test } from 'vitest';
import { parseJson } from '../../src/json/index.js';
import type { FormField } from '../../src/projections/index.js';
import { formArgumentsText, formFields, FormValueError } from '../../src/projections/index.js';
import { sampled } from '../../test-support/law-runs.js';
import { corpusTools } from '../../test-support/schemas/corpus.js';
import { sharedFolder } from '../../test-support/shared.js';

const typedTexts = [
  ...['900719925474099312', '-9007199254740993', '1.10', '1e5', '1E400', '-0', '0042', '12345', ' 7 '],
  ...['null', 'true', 'yes', 'cats', '"quoted"', '2026-02-30', '2026-07-31'],
  ...['{"id":12345678901234567890}', '[12345678901234567890, 1.10]', '[1E400]', '["a"]', '{}', '[1,'],
];

const corpus = sharedFolder('corpus');

// forms-on-the-wire.test.ts shows which text is sent as a text.
test.skipIf(corpus === undefined)(
  'Text typed into a field of a published tool is sent as it is, or gives a clear error',
  () => {
    const tools = sampled(corpusTools(corpus!));
    const wrong: string[] = [];
    let fields = 0;
    for (const { server, name: tool, inputSchema } of tools) {
      const form = formFields({ inputSchema });
      fields += form.length;
      for (const field of form) {
        for (const typed of typedTexts) {
          const sent = sentFor(form, field, typed);
          if (sent === undefined || isAsTyped(field, typed, sent)) continue;
          wrong.push(`${server} ${tool} ${field.name} (${field.hint}): ${typed} -> ${sent}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(fields).toBeGreaterThan(2 * tools.length);
  },
  600_000,
);

/** The JSON of the field in the arguments; undefined for an error. Every typed character counts. */
function sentFor(form: readonly FormField[], field: FormField, typed: string): string | undefined {
  try {
    const text = formArgumentsText(form, { [field.name]: typed }, { timeZone: 'Europe/Berlin' });
    return text.slice(`{${JSON.stringify(field.name)}:`.length, -1);
  } catch (error) {
    expect(error).toBeInstanceOf(FormValueError);
    return undefined;
  }
}

function isAsTyped({ options = [] }: FormField, typed: string, sent: string): boolean {
  const chosen = options.some(({ key, label }) => key === sent && (key === typed || label === typed));
  return chosen || sent === JSON.stringify(typed) || (sent === typed.trim() && parseJson(typed) !== undefined);
}
