/** `1234` → `1.2 kB`: how large a file is, as file managers say it. */
import { schemaFormTexts } from './texts.ts';

export function fileSize(bytes: number): string {
  const { byte, kilo, mega, giga } = schemaFormTexts.size;
  const units = [byte, kilo, mega, giga];
  const power = Math.min(units.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : Number(value.toFixed(1))} ${units[power] ?? byte}`;
}
