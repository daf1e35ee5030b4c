export { canonicalText, equals, scalarText } from './canonical.js';
export { JsonText, memberText, type Span, withMember } from './json-text.js';
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
export { fits } from './size.js';
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
  invisibleAt,
  jsonText,
  parseJson,
  quote,
  shortened,
  sizeText,
  visible,
  visibleLine,
} from './text.js';
export { has, isList, isObject, isSchema, type JsonObject, type JsonType, typeOf } from './value.js';
export { startWork, type Work, type WorkLimits } from './work.js';
