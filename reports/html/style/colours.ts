/** Colours and fonts of the report, light and dark as the reader's system is; the pairs that meet have a contrast of 4.5. */
export const COLOURS = `
:root {
  color-scheme: light dark;
  --page: #f5f5f2; --card: #ffffff; --sunk: #f3f3ef; --line: #dcdcd5; --ink: #1b1d22; --quiet: #5a5f68; --link: #1d4ed8;
  --fail: #b42318; --fail-soft: #fdecea; --error: #7a22b0; --error-soft: #f5eafc; --warn: #93510a; --warn-soft: #fdf1de;
  --inconclusive: #755c00; --inconclusive-soft: #fbf4d5; --pass: #17693a; --pass-soft: #e5f5eb; --observed: #1d5b9b;
  --observed-soft: #e6f0fb; --not-applicable: #5a5f68; --not-applicable-soft: #ececea; --mark: #ffe08a;
  --fail-fill: #d13a2c; --error-fill: #9333ea; --warn-fill: #d97706; --inconclusive-fill: #b98900; --pass-fill: #2a9457;
  --observed-fill: #3b82c4; --not-applicable-fill: #8d939c;
  --sans: system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #121418; --card: #1b1e24; --sunk: #14171c; --line: #333842; --ink: #e7e8ea; --quiet: #a3a9b4; --link: #8ab4f8;
    --fail: #ff8f84; --fail-soft: #3a1b1a; --error: #d9a5fb; --error-soft: #301d3d; --warn: #f5b461; --warn-soft: #38280f;
    --inconclusive: #e6cd62; --inconclusive-soft: #332d10; --pass: #77d69b; --pass-soft: #15301f; --observed: #8fc1f7;
    --observed-soft: #172b42; --not-applicable: #a3a9b4; --not-applicable-soft: #292d35; --mark: #6b5410;
    --fail-fill: #f0766b; --error-fill: #c084fc; --warn-fill: #eba04a; --inconclusive-fill: #d2b43c; --pass-fill: #4db67a;
    --observed-fill: #68a5e6; --not-applicable-fill: #7d8490;
  }
}
`;
