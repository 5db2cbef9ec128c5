//! Triangles for the map: shapes in metres, coloured by vertex, one mesh a layer.

use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, Mesh, PrimitiveTopology};
use bevy_egui::egui::Color32;

/// A point in metres east and north of the map window's corner.
pub type P = [f32; 2];

/// Triangles being gathered.
#[derive(Clone, Debug, Default)]
pub struct Canvas {
    places: Vec<[f32; 3]>,
    colours: Vec<[f32; 4]>,
    corners: Vec<u32>,
}

/// A colour as the shader wants it: linear light, straight alpha.
#[must_use]
pub fn linear(colour: Color32) -> [f32; 4] {
    let [r, g, b, a] = colour.to_srgba_unmultiplied();
    [curve(r), curve(g), curve(b), f32::from(a) / 255.0]
}

/// Linear light of each of the 256 steps of a channel.
fn curve(v: u8) -> f32 {
    static STEPS: std::sync::LazyLock<[f32; 256]> = std::sync::LazyLock::new(|| {
        std::array::from_fn(|i| {
            let v = i as f32 / 255.0;
            if v <= 0.040_45 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
        })
    });
    STEPS[usize::from(v)]
}

/// `a + (b - a) * t`.
#[must_use]
pub fn mix(a: P, b: P, t: f32) -> P {
    [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t]
}

/// Distance of two points.
#[must_use]
pub fn far(a: P, b: P) -> f32 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// The direction from one point to another; east where they are one.
#[must_use]
pub fn dir(a: P, b: P) -> P {
    let d = far(a, b);
    if d < 1e-4 { [1.0, 0.0] } else { [(b[0] - a[0]) / d, (b[1] - a[1]) / d] }
}

/// A point moved along a direction and its left-hand normal.
#[must_use]
pub fn step(p: P, d: P, along: f32, left: f32) -> P {
    [p[0] + d[0] * along - d[1] * left, p[1] + d[1] * along + d[0] * left]
}

impl Canvas {
    /// Forgets everything, keeps the memory.
    pub fn clear(&mut self) {
        self.places.clear();
        self.colours.clear();
        self.corners.clear();
    }

    /// Number of vertices so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// A mesh of what was gathered; a speck outside the map where that is nothing.
    #[must_use]
    pub fn mesh(&self) -> Mesh {
        let mut mesh = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default());
        if self.is_empty() {
            mesh.insert_attribute(Mesh::ATTRIBUTE_POSITION, vec![[-9.0e6_f32, 0.0, 0.0]; 3]);
            mesh.insert_attribute(Mesh::ATTRIBUTE_COLOR, vec![[0.0_f32; 4]; 3]);
            mesh.insert_indices(Indices::U32(vec![0, 1, 2]));
            return mesh;
        }
        mesh.insert_attribute(Mesh::ATTRIBUTE_POSITION, self.places.clone());
        mesh.insert_attribute(Mesh::ATTRIBUTE_COLOR, self.colours.clone());
        mesh.insert_indices(Indices::U32(self.corners.clone()));
        mesh
    }

    fn vertex(&mut self, p: P, c: [f32; 4]) {
        self.places.push([p[0], p[1], 0.0]);
        self.colours.push(c);
    }

    /// A four-cornered shape.
    pub fn quad(&mut self, p: [P; 4], c: [f32; 4]) {
        let base = self.places.len() as u32;
        for corner in p {
            self.vertex(corner, c);
        }
        self.corners.extend([base, base + 1, base + 2, base, base + 2, base + 3]);
    }

    /// A triangle.
    pub fn tri(&mut self, p: [P; 3], c: [f32; 4]) {
        let base = self.places.len() as u32;
        for corner in p {
            self.vertex(corner, c);
        }
        self.corners.extend([base, base + 1, base + 2]);
    }

    /// A rectangle about a middle, `length` along a direction.
    pub fn bar(&mut self, at: P, d: P, length: f32, width: f32, c: [f32; 4]) {
        let (l, w) = (length / 2.0, width / 2.0);
        self.quad(
            [step(at, d, -l, -w), step(at, d, l, -w), step(at, d, l, w), step(at, d, -l, w)],
            c,
        );
    }

    /// A line.
    pub fn line(&mut self, a: P, b: P, width: f32, c: [f32; 4]) {
        let d = dir(a, b);
        let w = width / 2.0;
        self.quad(
            [step(a, d, 0.0, -w), step(b, d, 0.0, -w), step(b, d, 0.0, w), step(a, d, 0.0, w)],
            c,
        );
    }

    /// Several lines in a row, joined; with the last joined to the first if closed.
    pub fn path(&mut self, points: &[P], closed: bool, width: f32, c: [f32; 4]) {
        let n = points.len();
        if n < 2 {
            return;
        }
        let side = |i: usize| -> (P, P) {
            let p = points[i];
            let before = if i > 0 { Some(points[i - 1]) } else { closed.then(|| points[n - 1]) };
            let after = if i + 1 < n { Some(points[i + 1]) } else { closed.then(|| points[0]) };
            let a = before.map_or_else(|| dir(p, after.unwrap_or(p)), |b| dir(b, p));
            let b = after.map_or(a, |n| dir(p, n));
            let mut mid = dir([0.0, 0.0], [a[0] + b[0], a[1] + b[1]]);
            if a[0] + b[0] == 0.0 && a[1] + b[1] == 0.0 {
                mid = a;
            }
            let cos = (mid[0] * a[0] + mid[1] * a[1]).max(0.4);
            let w = width / 2.0 / cos;
            (step(p, mid, 0.0, w), step(p, mid, 0.0, -w))
        };
        let last = if closed { n } else { n - 1 };
        for i in 0..last {
            let (l0, r0) = side(i);
            let (l1, r1) = side((i + 1) % n);
            self.quad([r0, r1, l1, l0], c);
        }
    }

    /// Dashes along a path, `on` and `off` metres.
    pub fn dashes(&mut self, points: &[P], on: f32, off: f32, width: f32, c: [f32; 4]) {
        let mut left = on;
        let mut draw = true;
        for pair in points.windows(2) {
            let whole = far(pair[0], pair[1]);
            let mut done = 0.0;
            while done < whole {
                let part = left.min(whole - done);
                if draw {
                    let (a, b) = (
                        mix(pair[0], pair[1], done / whole),
                        mix(pair[0], pair[1], (done + part) / whole),
                    );
                    self.line(a, b, width, c);
                }
                done += part;
                left -= part;
                if left <= 1e-4 {
                    draw = !draw;
                    left = if draw { on } else { off };
                }
            }
        }
    }

    /// A disc of `n` corners.
    pub fn disc(&mut self, at: P, radius: f32, n: u32, c: [f32; 4]) {
        self.glow(at, radius, radius, n, c, c);
    }

    /// A disc or ellipse that goes from one colour in its middle to another at its rim.
    pub fn glow(&mut self, at: P, rx: f32, ry: f32, n: u32, inner: [f32; 4], outer: [f32; 4]) {
        let base = self.places.len() as u32;
        self.vertex(at, inner);
        for i in 0..n {
            let a = i as f32 / n as f32 * std::f32::consts::TAU;
            self.vertex([at[0] + a.cos() * rx, at[1] + a.sin() * ry], outer);
        }
        for i in 0..n {
            self.corners.extend([base, base + 1 + i, base + 1 + (i + 1) % n]);
        }
    }

    /// A ring.
    pub fn ring(&mut self, at: P, radius: f32, width: f32, n: u32, c: [f32; 4]) {
        let points: Vec<P> = (0..n)
            .map(|i| {
                let a = i as f32 / n as f32 * std::f32::consts::TAU;
                [at[0] + a.cos() * radius, at[1] + a.sin() * radius]
            })
            .collect();
        self.path(&points, true, width, c);
    }

    /// A polygon, of any shape without crossings, by cutting ears.
    pub fn fill(&mut self, points: &[P], c: [f32; 4]) {
        let mut left: Vec<P> = points.to_vec();
        let area: f32 = (0..left.len())
            .map(|i| {
                let (a, b) = (left[i], left[(i + 1) % left.len()]);
                a[0] * b[1] - b[0] * a[1]
            })
            .sum();
        if area < 0.0 {
            left.reverse();
        }
        let cross =
            |a: P, b: P, p: P| (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
        while left.len() > 3 {
            let n = left.len();
            let ear = (0..n).find(|&i| {
                let (a, b, d) = (left[(i + n - 1) % n], left[i], left[(i + 1) % n]);
                cross(a, b, d) > 0.0
                    && (0..n).all(|j| {
                        let p = left[j];
                        j == i
                            || j == (i + 1) % n
                            || j == (i + n - 1) % n
                            || cross(a, b, p) < 0.0
                            || cross(b, d, p) < 0.0
                            || cross(d, a, p) < 0.0
                    })
            });
            let i = ear.unwrap_or(0);
            self.tri([left[(i + n - 1) % n], left[i], left[(i + 1) % n]], c);
            left.remove(i);
        }
        if let [a, b, d] = left[..] {
            self.tri([a, b, d], c);
        }
    }
}

/// A well-mixed number from a seed; for scatter that never changes.
#[must_use]
pub const fn hash(a: u32, b: u32) -> u32 {
    let mut x = a.wrapping_mul(0x9E37_79B1) ^ b.wrapping_mul(0x85EB_CA77);
    x ^= x >> 15;
    x = x.wrapping_mul(0x2C1B_3C6D);
    x ^= x >> 12;
    x = x.wrapping_mul(0x297A_2D39);
    x ^ (x >> 15)
}

/// The same as a fraction 0 to 1.
#[must_use]
pub fn unit(a: u32, b: u32) -> f32 {
    (hash(a, b) >> 8) as f32 / 16_777_216.0
}
