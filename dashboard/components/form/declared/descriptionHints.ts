/** Units and ranges found in descriptions. They are only displayed, never enforced. */
import type { Limits } from './shape.ts';

const units = [
  'nL|uL|µL|μL|ul|µl|μl|mL|ml|cL|dL|L',
  'pm|nm|um|µm|μm|mm|cm|m',
  'ns|us|µs|ms|s|sec|secs|seconds?|min|mins|minutes?|h|hours?|days?',
  '°C|° C|degC|K|°F|°|deg|degrees?|rad',
  'rpm|RPM|rcf|RCF|x ?g|× ?g',
  '%|percent',
  'ng|ug|µg|μg|mg|g|kg',
  'nM|uM|µM|μM|mM|M',
  'mV|V|mA|A|mW|W|Hz|kHz|MHz',
  'Pa|kPa|hPa|mbar|bar|psi',
  '(?:nL|uL|µL|μL|mL|L|mm|cm|µm|μm|m|mg|g|rpm|°C|K)/(?:s|min|h)',
  'pixels?|px|steps?|cycles?|wells?',
].join('|');

const wholeHint = new RegExp(`^(?:in )?(${units})\\.?$`, 'i');
const leading = new RegExp(`^(?:in )?(${units})[,;:]`);
const bracketed = new RegExp(`[([](?:in )?(${units})(?:[,;:)\\]]|\\s+[-–\\d])`);
const inUnit = new RegExp(`\\bin (${units})(?![\\w/])`);
const afterNumber = new RegExp(`\\d\\s?(${units})(?![\\w/])`);

/** Returns the unit that a description names; `null` if none. */
export function extractUnit(description: string): string | null {
  const trimmed = description.trim();
  for (const pattern of [wholeHint, leading, bracketed, inUnit, afterNumber]) {
    const unit = pattern.exec(trimmed)?.[1];
    if (unit !== undefined) return shortUnit(unit);
  }
  return null;
}

const shortUnits: Readonly<Record<string, string>> = {
  second: 's',
  seconds: 's',
  sec: 's',
  secs: 's',
  minute: 'min',
  minutes: 'min',
  mins: 'min',
  hour: 'h',
  hours: 'h',
  percent: '%',
  degc: '°C',
  degree: '°',
  degrees: '°',
  deg: '°',
};

function shortUnit(unit: string): string {
  return (
    shortUnits[unit.toLowerCase()] ??
    unit
      .replace(/^u(?=[lLmMgs])/, 'µ')
      .replace('μ', 'µ')
      .replace(/^([nµmcd]?)l$/, '$1L')
  );
}

const number = String.raw`(-?\d+(?:\.\d+)?)`;
const unitBetween = String.raw`\s*(?:[^\d\s,;()]{1,4})?\s*`;
const range = new RegExp(`${number}${unitBetween}(?:to|-|–|—|\\.\\.\\.?|…|and)\\s*${number}`, 'i');
const minPattern = new RegExp(`(?:≥|>=|at least|min(?:imum)?\\.?(?: of)?:?)\\s*${number}`, 'i');
const maxPattern = new RegExp(`(?:≤|<=|at most|up to|max(?:imum)?\\.?(?: of)?:?)\\s*${number}`, 'i');

/** Returns the range that a description names. */
export function extractLimits(description: string): Limits {
  const between = range.exec(description);
  if (between !== null) {
    const [minimum, maximum] = [Number(between[1]), Number(between[2])];
    if (minimum < maximum) return { minimum, maximum };
  }
  const [from, to] = [minPattern.exec(description)?.[1], maxPattern.exec(description)?.[1]];
  return {
    ...(from === undefined ? {} : { minimum: Number(from) }),
    ...(to === undefined ? {} : { maximum: Number(to) }),
  };
}
