export {
  aFunction,
  anObject,
  checkOption,
  checkOptions,
  didYouMean,
  either,
  flag,
  listOfTools,
  milliseconds,
  oneOf,
  type Option,
  required,
  signal,
  text,
  texts,
} from './options.js';
export { base64Of, binaryOf, bytesOf, bytesOfBase64, hexOf, joined, textOfBytes } from './bytes.js';
export { sha256 } from './sha256.js';
export { canonicalText, equals, scalarText } from './canonical.js';
export { integerOf, numberOf } from './numerals.js';
export { argumentsFromText, containerIn, quotedIn } from './tolerant-json.js';
export { doubledIn, JsonText, memberText, type Span, withMember } from './json-text.js';
export { nonFiniteNumberIn } from './finite.js';
export {
  decodeFragment,
  fragmentReadings,
  jsonPointer,
  member,
  pointerToken,
  pointerTokens,
  resolveLocalReference,
  valueAt,
} from './pointer.js';
export {
  mapSubschemas,
  type PlacedSchema,
  type Subschema,
  subschemasIn,
  subschemaShape,
  type SubschemaShape,
  walkSchemas,
} from './subschemas.js';
export {
  briefJson,
  counted,
  cut,
  editDistance,
  namesNear,
  invisibleAt,
  jsonText,
  messageOf,
  parseJson,
  quote,
  quotedLines,
  sentences,
  shortened,
  sizeText,
  visible,
  visibleLine,
  wordsOf,
} from './text.js';
export {
  deepFreeze,
  fits,
  has,
  isJsonType,
  isList,
  isObject,
  isOwn,
  isSchema,
  type JsonObject,
  type JsonType,
  jsonTypes,
  nestsDeeper,
  typeOf,
} from './value.js';
export { startBudget, type WorkBudget, type BudgetLimits } from './budget.js';
