/** How a stored picture lies: turned clockwise by so many quarters after it was mirrored, or not. */
export interface FilmPosition {
  readonly quarterTurns: 0 | 1 | 2 | 3;
  readonly isMirrored: boolean;
}

/** What the model says of a picture. Shares are probabilities. */
export interface FilmLook {
  /** That it is a frontal chest film. */
  readonly chest: number;
  /** Whether that is enough, by the model's own threshold. */
  readonly isChest: boolean;
  readonly position: FilmPosition;
  /** That it is turned so, mirrored or not. */
  readonly turned: number;
  /** That left and right are exchanged. */
  readonly mirrored: number;
  /** That black and white are exchanged. */
  readonly inverted: number;
  /** That the rays came from the front. */
  readonly anteroposterior: number;
  /** That it is of a child. */
  readonly child: number;
  /** What is to be seen; none for a picture that is no chest film. */
  readonly judged: FilmJudgement | undefined;
}

/** What the model says of a frontal chest film. */
export interface FilmJudgement {
  /** That a pneumonia-like opacity is to be seen. */
  readonly opacity: number;
  /** Where, in cells of the upright film by rows: higher is more. */
  readonly map: Float32Array;
  readonly mapSide: number;
  /** How far the film is from those learnt on, and from where on that is too far. */
  readonly distance: number;
  readonly distanceMax: number;
  /** From which score on a cell belongs to the place. */
  readonly placeFrom: number;
}
