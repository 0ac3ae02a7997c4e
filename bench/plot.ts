/** A line plot as SVG: both axes from 0, every point with its value as a tooltip. */
import type { Plot } from './measure.ts';

const WIDTH = 640;
const HEIGHT = 300;
const LEFT = 70;
const BOTTOM = 45;
const TOP = 30;
const RIGHT = 20;
const COLOURS = ['#1f6feb', '#c2410c', '#15803d'];

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const short = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : Number(value.toPrecision(2)).toString();

export function plotOf(title: string, { x, y, series }: Plot): string {
  const all = series.flatMap(({ points }) => points);
  const maxX = Math.max(...all.map(([value]) => value), 1e-9);
  const maxY = Math.max(...all.map(([, value]) => value), 1e-9);
  const atX = (value: number): number => LEFT + (value / maxX) * (WIDTH - LEFT - RIGHT);
  const atY = (value: number): number => HEIGHT - BOTTOM - (value / maxY) * (HEIGHT - BOTTOM - TOP);
  const ticks = [0, 0.25, 0.5, 0.75, 1];
  const grid = ticks.map(
    (share) =>
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${atY(share * maxY)}" y2="${atY(share * maxY)}" stroke="#d0d7de"/><text x="${LEFT - 8}" y="${atY(share * maxY) + 4}" text-anchor="end">${short(share * maxY)}</text><text x="${atX(share * maxX)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${short(share * maxX)}</text>`,
  );
  const lines = series.map(({ name, points }, at) => {
    const colour = COLOURS[at % COLOURS.length];
    const path = points.map(([px, py]) => `${atX(px).toFixed(1)},${atY(py).toFixed(1)}`).join(' ');
    const dots = points.map(
      ([px, py]) =>
        `<circle cx="${atX(px).toFixed(1)}" cy="${atY(py).toFixed(1)}" r="4" fill="${colour}"><title>${short(px)} ${escaped(x)}: ${short(py)} ${escaped(y)}</title></circle>`,
    );
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join('')}<text x="${LEFT + 10 + at * 130}" y="${TOP + 6}" fill="${colour}" font-weight="bold">${escaped(name)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" font-family="sans-serif" font-size="12" fill="#57606a"><title>${escaped(title)}</title><rect width="100%" height="100%" fill="#fff"/>${grid.join('')}${lines.join('')}<text x="${(WIDTH + LEFT) / 2}" y="${HEIGHT - 8}" text-anchor="middle">${escaped(x)}</text><text x="16" y="${HEIGHT / 2}" text-anchor="middle" transform="rotate(-90 16 ${HEIGHT / 2})">${escaped(y)}</text></svg>\n`;
}
