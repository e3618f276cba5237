/**
 * The tones of a usual frontal chest film by the cells of the grid of `likeness.ts`, in hundredths of the range; dots
 * where most films end. The mean of 80 healthy computed films (`npm run bench:films -- --usual`): like every number
 * here it comes from no film of a patient.
 */
const ROWS = `
26 37 50 61 70 78 84 89 94 94 89 84 78 70 61 50 37 27
35 51 68 79 86 90 92 92 96 96 92 92 90 86 79 68 51 36
38 57 74 81 86 80 65 76 93 93 76 65 80 86 81 74 57 39
38 58 75 81 71 46 44 67 91 91 72 46 47 71 81 75 58 40
37 57 73 73 47 37 41 68 92 92 78 46 38 47 73 74 57 38
30 50 68 52 37 34 46 77 92 93 78 47 34 37 52 69 50 31
17 39 56 38 31 30 44 77 92 93 78 44 31 32 38 56 39 18
 6 29 42 32 29 29 40 70 92 93 72 42 30 30 32 42 29  7
 3 25 35 29 28 30 42 76 93 93 84 68 45 32 30 35 25  3
 3 24 32 29 28 31 47 82 93 94 88 85 71 43 31 32 24  3
 3 23 31 30 35 40 52 80 93 94 88 86 80 51 32 31 24  3
 3 23 35 47 68 77 82 88 95 94 89 87 80 59 37 33 24  3
 3 23 47 68 81 87 91 93 97 97 91 81 73 75 65 43 24  3
 3 23 50 71 83 89 92 94 98 98 94 90 86 82 70 50 24  3
 3 24 50 71 83 89 92 94 98 98 94 92 89 83 71 50 24  3
 3 24 50 71 83 89 92 94 98 98 94 92 89 83 72 51 25  3
`;

/** By rows; not a number where nothing is usual. */
export const usualTones: readonly number[] = ROWS.trim()
  .split(/\s+/)
  .map((cell) => (cell === '..' ? Number.NaN : Number(cell) / 100));
