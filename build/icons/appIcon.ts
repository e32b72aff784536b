/**
 * The app icon: a flask with a hub and its nodes on a square of the accent colour, in a 64 × 64 box. Below 48 px only
 * the flask is drawn, because the nodes would not be recognizable.
 */
import { accent } from '../../api/states.ts';

const [deep, bright] = accent;
const paper = '#FFFFFF';

/** Below this size in pixels the plain drawing is used. */
const minDetailedSize = 48;

/**
 * Outline of the flask from the left end of the lip around the bottom to the right end. `neck` is half the neck's
 * width, `top` the y-coordinate of the lip.
 */
function flask(neck: number, top: number, shoulder: number, foot: number, bottom: number): string {
  const [left, right] = [32 - neck, 32 + neck];
  return [
    `M${left} ${top}V${shoulder}`,
    `L${32 - foot} ${bottom - 5.5}`,
    `Q${31.2 - foot - 2.6} ${bottom} ${32 - foot + 3} ${bottom}`,
    `H${32 + foot - 3}`,
    `Q${32.8 + foot + 2.6} ${bottom} ${32 + foot} ${bottom - 5.5}`,
    `L${right} ${shoulder}V${top}`,
  ].join('');
}

/**
 * The background square, `inset` from the edge. Small icons have no inset, because their edge would be half a pixel of
 * grey.
 */
function ground(inset: number, radius = 14): string {
  const sideLength = 64 - 2 * inset;
  return [
    '<defs><linearGradient id="ground" x1="0" y1="0" x2="0" y2="1">',
    `<stop offset="0" stop-color="#1B78D3"/><stop offset="1" stop-color="${deep}"/></linearGradient></defs>`,
    `<rect x="${inset}" y="${inset}" width="${sideLength}" height="${sideLength}" rx="${radius}" fill="url(#ground)"/>`,
  ].join('');
}

function line(d: string, width: number, color = paper): string {
  return `<path d="${d}" fill="none" stroke="${color}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;
}

function dot(x: number, y: number, radius: number, color = paper): string {
  return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${color}"/>`;
}

function detailedIcon(): string {
  return ground(2) + detailedFlask();
}

/** The flask with the hub and its nodes. */
function detailedFlask(): string {
  const outline = flask(5.5, 14, 25, 16, 52);
  return [
    `<path d="M21.6 37.5H42.4L48 46.5Q50.6 52 45 52H19Q13.4 52 16 46.5Z" fill="${bright}" fill-opacity=".55"/>`,
    line('M32 42V32.5M32 42L23.6 46.4M32 42L40.4 46.4', 1.8),
    dot(32, 42, 3.7),
    dot(32, 32, 2.3),
    dot(23.4, 46.4, 2.3),
    dot(40.6, 46.4, 2.3),
    line(outline, 3.2),
    line('M23 13.6H41', 3.6),
  ].join('');
}

/**
 * Lines are 4 wide. The edges of the horizontal and vertical ones are at multiples of 4, which are whole pixels at
 * 16 px and 32 px.
 */
function plainIcon(): string {
  return [
    ground(0),
    `<path d="M20 40H44L49 48Q52 54 46 54H18Q12 54 15 48Z" fill="${paper}"/>`,
    line(flask(6, 14, 26, 17, 54), 4),
    line('M22 14H42', 4),
  ].join('');
}

/** The icon as a data URL, for pages. */
export function appIconUrl(): string {
  return `data:image/svg+xml,${encodeURIComponent(appIconSvg(64))}`;
}

/** The icon as SVG, for `size` pixels. */
export function appIconSvg(size: number): string {
  const drawing = size < minDetailedSize ? plainIcon() : detailedIcon();
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">${drawing}</svg>`;
}

/**
 * The icon for the home screen of a phone, which cuts its own shape out of the square: all of the drawing is inside the
 * circle with 80 % of the width, the safe zone of maskable icons.
 */
export function homeScreenIconSvg(): string {
  const drawing = `<g transform="translate(32 32) scale(.84) translate(-32 -33)">${detailedFlask()}</g>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">${ground(0, 0)}${drawing}</svg>`;
}
