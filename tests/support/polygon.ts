/** Whether a point lies inside a polygon, by the number of sides that a ray from it crosses. */
export function insidePolygon(polygon: readonly (readonly number[])[], x: number, y: number): boolean {
  let isInside = false;
  let [fromX = 0, fromY = 0] = polygon.at(-1) ?? [];
  for (const [toX = 0, toY = 0] of polygon) {
    if (toY > y !== fromY > y && x < ((fromX - toX) * (y - toY)) / (fromY - toY) + toX) isInside = !isInside;
    [fromX, fromY] = [toX, toY];
  }
  return isInside;
}
