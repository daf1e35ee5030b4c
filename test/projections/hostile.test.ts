import { expect, test } from 'vitest';
import * as face from '../../src/index.js';
import * as projections from '../../src/projections/index.js';
import * as toolFace from '../../src/tool/index.js';
import { measuredBy, promptUnits } from '../../test-support/measured.js';
import { hostileSchemas } from '../../test-support/schemas/hostile.js';

type Measured = Readonly<{ schema: string; projection: string; units: number; thrown?: string }>;

/** Exports that take neither a schema nor a tool; those for texts and results are tested elsewhere. */
const others = [
  'agentTools isLost distinctPrefixes blockText resultParts answersFrom argumentsFromText digestsOnly blockBytes clientCredentials connect createSessionPool decline describeRepair',
  'dpop enterpriseManaged invisibleIn isApprovedTools isReadOnly jwtBearer noticeTool approvedOf readApprovedFile resultText serverIdentity',
  'isSdkClient providerOfModel sessionOf shortenedAnswer shortenedAnswers structuredText typedText unansweredLines unknownOutcome',
  'fateOfTexts heldExactly matchNames saysTheSame',
  'callTool standardSchema toolModule', // these call measured functions: checkArguments, repairArguments and toolTypes
  'exposedTool shortenedResult',
  'traitsOf tooManyTools isMcpVerbatimError messageForModel',
  // Measured as parts of sentSchema, formFields and shapeOf.
  'adapted concerns exampleText inWords itemsIn optionOf partExample present rewritten rootKeywords ruleOf typeSignature withWords without',
  // Measured as parts of formArgumentsText, checkArguments, findingsIn, startToolSearch and approvedFileText.
  'formArguments compileSchema evaluate repairArguments providerNotes readCatalogue modelSchema modelTools toolTokens approveTools',
].flatMap((names) => names.split(' '));

test('For a schema of up to 1 MB, every function works at most a hundred times as long as JSON.stringify for 20 MB, in 300 MB, without throwing', async () => {
  const measured = await measuredBy<Measured>(new URL('measure.ts', import.meta.url));
  const functions = Object.entries({ ...face, ...projections, ...toolFace }).filter(
    ([name, value]) => typeof value === 'function' && /^[a-z]/.test(name),
  );
  const covered = new Set([...others, ...measured.map(({ projection }) => projection.split(/[ ,]/, 1)[0] ?? '')]);
  expect(functions.map(([name]) => name).filter((name) => !covered.has(name))).toEqual([]);
  expect(new Set(measured.map(({ schema }) => schema))).toEqual(new Set(Object.keys(hostileSchemas)));
  expect(measured.filter(({ thrown }) => thrown !== undefined)).toEqual([]);
  expect(measured.filter(({ units }) => units > promptUnits)).toEqual([]);
}, 1_800_000);
