/** The profile's shape as a JSON Schema (2020-12), published as `docs/profile.schema.json`. */
import { type Format, PROFILE_SHAPE, type Shape } from './index.ts';

const ENV = '^\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}$';

/** Texts from the environment are checked when the profile is loaded, so the schema lets every `${…}` pass. */
const PATTERNS: Readonly<Record<Format, string>> = {
  'base-v1': '(^https?://[^?#]*/v1/$)|(\\$\\{)',
  'base-api': '(^https?://[^?#]*/api/$)|(\\$\\{)',
  'web-address': '(^https?://)|(\\$\\{)',
  proxy: '(^https?://)|(\\$\\{)',
  domain: '(^(?![Ww]{3}\\.)[^\\s/:@?#]+\\.[^\\s/:@?#]+$)|(\\$\\{)',
  country: '(^[A-Za-z]{2}$)|(\\$\\{)',
};

/** The JSON Schema of a profile, for editors. Loading a profile checks more (files, addresses, secrets, languages). */
export function profileJsonSchema(): Record<string, unknown> {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Proofmark target profile',
    ...schemaOf(PROFILE_SHAPE),
  };
}

function schemaOf(shape: Shape): Record<string, unknown> {
  const description = shape.about;
  switch (shape.type) {
    case 'object': {
      const properties = Object.fromEntries(Object.entries(shape.fields).map(([key, field]) => [key, schemaOf(field)]));
      return { description, type: 'object', properties, additionalProperties: false };
    }
    case 'map':
      return { description, type: 'object', additionalProperties: schemaOf(shape.values) };
    case 'list':
      return { description, type: 'array', items: schemaOf(shape.items) };
    case 'string':
      if (shape.oneOf !== undefined)
        return { description, anyOf: [{ enum: [...shape.oneOf] }, { type: 'string', pattern: ENV }] };
      return {
        description: shape.secret === true ? `${description} Secret: write \${ENV_NAME}.` : description,
        type: 'string',
        minLength: 1,
        ...(shape.format === undefined ? {} : { pattern: PATTERNS[shape.format] }),
      };
    case 'id':
      return {
        description,
        anyOf: [
          { type: 'integer', minimum: 1 },
          { type: 'string', pattern: `(^[1-9][0-9]*$)|(${ENV})` },
        ],
      };
    default:
      return {
        description,
        anyOf: [
          { type: shape.type, minimum: shape.least, maximum: shape.most },
          { type: 'string', pattern: ENV },
        ],
      };
  }
}
