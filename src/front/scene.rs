//! The map's entities: four meshes over painted silk, each painted anew only when
//! what it shows has changed, and the camera over them.

use bevy::camera::ScalingMode;
use bevy::camera::visibility::NoFrustumCulling;
use bevy::mesh::{Mesh, Mesh2d};
use bevy::prelude::*;
use bevy::render::renderer::RenderAdapterInfo;
use bevy::sprite_render::AlphaMode2d;
use bevy_egui::egui;

use crate::core::ids::UnitId;
use crate::scenario::battle::{Light, Scenario};
use crate::scenario::site::{Level, WorkForm};
use crate::view::Leaf;
use crate::view::frame::GateMark;

use super::canvas::Canvas;
use super::crowd::{self, Distance, Weapon};
use super::engines::Bench;
use super::ladders;
use super::land;
use super::reach;
use super::state::{Desk, Layers, Play, Screen};
use super::theme::{Pigment, Theme};

/// Metres about the window in which companies are still drawn.
const MARGIN_M: f32 = 40.0;

/// How strongly men on the other level show at least.
const OTHER_MEN: f32 = 0.72;

/// What the map's entities show, and for what they were painted.
#[derive(Resource, Default)]
struct Painted {
    ground: Option<Entity>,
    ground_for: Option<(String, Light)>,
    works: Layer<Works>,
    low: Layer<Low>,
    fallen: Layer<Works>,
    /// Entries of the timeline that lie on the fallen's canvas.
    fallen_up_to: usize,
    men: Layer<Men>,
}

/// A mesh with its canvas and what it was painted for.
struct Layer<K> {
    mesh: Handle<Mesh>,
    canvas: Canvas,
    for_what: Option<K>,
}

impl<K> Default for Layer<K> {
    fn default() -> Self {
        Self { mesh: Handle::default(), canvas: Canvas::default(), for_what: None }
    }
}

impl<K: PartialEq> Layer<K> {
    /// Whether it must be painted for this; the canvas is then empty.
    fn stale(&mut self, key: K) -> bool {
        if self.for_what.as_ref() == Some(&key) {
            return false;
        }
        self.for_what = Some(key);
        self.canvas.clear();
        true
    }

    fn show(&self, meshes: &mut Assets<Mesh>) {
        if let Some(mut mesh) = meshes.get_mut(&self.mesh) {
            *mesh = self.canvas.mesh();
        }
    }
}

/// Battle, light, level, and scale in steps of a sixth.
type Works = (String, Light, Level, i32);
/// Light, view, and the gates as they stand.
type Low = (Light, [u32; 5], Vec<GateMark>);

/// All that the men's picture hangs on.
#[derive(PartialEq)]
struct Men {
    cursor: u64,
    view: [u32; 5],
    light: Light,
    level: Level,
    layers: Layers,
    chosen: Vec<UnitId>,
    planning: bool,
    companies: usize,
}

#[derive(Component)]
struct MapCamera;

/// Adds the map to the program.
pub fn install(app: &mut App) {
    app.init_resource::<Painted>();
    app.add_systems(Startup, set_up);
    // After the panels have run, so that plates and ground move in the same picture.
    app.add_systems(
        PostUpdate,
        paint
            .after(bevy_egui::EguiPostUpdateSet::EndPass)
            .before(bevy::transform::TransformSystems::Propagate)
            .before(bevy::camera::CameraUpdateSystems),
    );
}

fn set_up(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
    mut painted: ResMut<Painted>,
    adapter: Option<Res<RenderAdapterInfo>>,
) {
    // Where the processor draws, smooth edges cost more than they are worth.
    // (The type of the adapter is of a crate that Bevy does not hand on.)
    let software = adapter.is_some_and(|a| format!("{:?}", a.device_type) == "Cpu");
    commands.spawn((
        Camera2d,
        MapCamera,
        if software { Msaa::Off } else { Msaa::Sample4 },
        Projection::Orthographic(OrthographicProjection {
            scaling_mode: ScalingMode::WindowSize,
            ..OrthographicProjection::default_2d()
        }),
    ));
    let white = materials.add(ColorMaterial {
        color: Color::WHITE,
        alpha_mode: AlphaMode2d::Blend,
        ..default()
    });
    let mut layer = |z: f32| {
        let mesh = meshes.add(Canvas::default().mesh());
        commands.spawn((
            Mesh2d(mesh.clone()),
            MeshMaterial2d(white.clone()),
            Transform::from_xyz(0.0, 0.0, z),
            // The meshes change all the time: their bounds are not worth keeping.
            NoFrustumCulling,
        ));
        mesh
    };
    painted.works.mesh = layer(1.0);
    painted.low.mesh = layer(2.0);
    painted.fallen.mesh = layer(3.0);
    painted.men.mesh = layer(4.0);
}

/// Paints what has changed and points the camera.
fn paint(
    mut commands: Commands,
    desk: Res<Desk>,
    mut painted: ResMut<Painted>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut images: ResMut<Assets<Image>>,
    mut cameras: Query<(&mut Transform, &mut Projection), With<MapCamera>>,
    windows: Query<&Window>,
) {
    let Some(play) = desk.play.as_ref().filter(|_| desk.screen == Screen::Battle) else { return };
    let Ok(window) = windows.single() else { return };
    let theme = &desk.theme;
    let battle = play.battle();
    let (land, view, level) = (play.land, play.view, play.level);
    let painted = &mut *painted;
    if let Ok((mut transform, mut projection)) = cameras.single_mut() {
        let middle = view.under(egui::pos2(window.width() / 2.0, window.height() / 2.0));
        transform.translation = Vec3::new(middle[0], middle[1], 100.0);
        if let Projection::Orthographic(o) = &mut *projection {
            o.scale = view.px;
        }
    }
    let ground_for = (battle.id.clone(), theme.light);
    if painted.ground_for.as_ref() != Some(&ground_for) {
        let image = images.add(land::silk(theme, land));
        if let Some(old) = painted.ground.take() {
            commands.entity(old).despawn();
        }
        let sprite =
            Sprite { image, custom_size: Some(Vec2::new(land.width, land.height)), ..default() };
        let at = Transform::from_xyz(land.width / 2.0, land.height / 2.0, 0.0);
        painted.ground = Some(commands.spawn((sprite, at)).id());
        painted.ground_for = Some(ground_for);
    }
    // Lines keep their breadth on the screen: painted anew when the scale has changed by a sixth.
    let step = (view.px.ln() * 6.0).round() as i32;
    let works = (battle.id.clone(), theme.light, level, step);
    if painted.works.stale(works.clone()) {
        land::draw(&mut painted.works.canvas, &battle.site, land, theme, level, view.px);
        painted.works.show(&mut meshes);
    }
    let (low, high) = view.window(MARGIN_M);
    let seen = [view.centre[0], view.centre[1], view.px, view.rect.width(), view.rect.height()];
    let seen = seen.map(f32::to_bits);
    let frame = play.session.frame(play.pulse());
    if painted.low.stale((theme.light, seen, frame.gates.to_vec())) {
        let canvas = &mut painted.low.canvas;
        land::tufts(canvas, land, theme, low, high, view.px);
        gates(canvas, &battle, play, theme, &frame.gates);
        painted.low.show(&mut meshes);
    }
    let pigments: Vec<Pigment> = battle.sides.iter().map(|s| theme.pigment(s.slot)).collect();
    bodies(painted, play, &battle, theme, &pigments, works, &mut meshes);
    let men = Men {
        cursor: play.cursor.to_bits(),
        view: seen,
        light: theme.light,
        level,
        layers: play.layers,
        chosen: play.chosen.clone(),
        planning: play.planning(),
        companies: play.shown.len(),
    };
    if painted.men.stale(men) {
        let canvas = &mut painted.men.canvas;
        if play.layers.density {
            crowd::density(canvas, &play.shown, level, low, high);
        }
        if play.layers.men {
            crowds(canvas, &battle, play, theme, &pigments);
        }
        painted.men.show(&mut meshes);
    }
}

fn gates(canvas: &mut Canvas, battle: &Scenario, play: &Play, theme: &Theme, marks: &[GateMark]) {
    for work in &battle.site.works {
        let WorkForm::Gate { portal, passages } = work.form else { continue };
        let Some(mark) = marks.get(portal.index()) else { continue };
        let look = land::GateLook {
            gap: mark.gap,
            barred: mark.barred,
            jammed: mark.leaf == Leaf::Jammed,
            broken: mark.leaf == Leaf::Broken,
        };
        let (land, px) = (play.land, play.view.px);
        land::gate(canvas, &battle.site, land, theme, portal.index(), passages, look, px);
    }
}

/// Those who lie there. As time goes on only the new ones are added.
fn bodies(
    painted: &mut Painted,
    play: &Play,
    battle: &Scenario,
    theme: &Theme,
    pigments: &[Pigment],
    works: Works,
    meshes: &mut Assets<Mesh>,
) {
    let all = play.session.timeline().fallen_before(play.pulse());
    let all = if play.layers.bodies { all } else { &[] };
    let anew = all.len() < painted.fallen_up_to || painted.fallen.for_what.as_ref() != Some(&works);
    if anew {
        painted.fallen.for_what = None;
        painted.fallen.stale(works);
        painted.fallen_up_to = 0;
    }
    let new = &all[painted.fallen_up_to..];
    if new.is_empty() && !anew {
        return;
    }
    let mounted = |c| battle.kind_of(play.session.unit_of(c)).mounted;
    let canvas = &mut painted.fallen.canvas;
    crowd::fallen(canvas, theme, play.land, new, pigments, mounted, play.view.px);
    painted.fallen_up_to = all.len();
    painted.fallen.show(meshes);
}

fn crowds(
    canvas: &mut Canvas,
    battle: &Scenario,
    play: &Play,
    theme: &Theme,
    pigments: &[Pigment],
) {
    let (low, high) = play.view.window(MARGIN_M);
    let px = play.view.px;
    let distance = Distance::of(theme, px);
    let frame = play.session.frame(play.pulse());
    let bench = Bench { battle, frame, theme, land: play.land, px };
    for arc in reach::arcs(play, battle, frame) {
        arc.draw(canvas, theme, px);
    }
    // Both levels can be read at once: those on the walk over those on the ground, the
    // level that is not chosen a little weaker.
    for level in [Level::Ground, Level::Rampart] {
        if level == Level::Rampart {
            let window = (low, high);
            ladders::draw(canvas, battle, theme, play.land, &frame.ladders, px, window);
        }
        let alpha = if level == play.level { 1.0 } else { theme.other_level().max(OTHER_MEN) };
        for one in play.shown.iter().filter(|s| s.mark.level() == level) {
            if (0..2).any(|k| one.at[k] < low[k] || one.at[k] > high[k]) {
                continue;
            }
            let weapon = match battle.kind_of(one.unit).sign.as_str() {
                "bow" | "crossbow" | "repeater" => Weapon::Bow,
                "sword" | "guard" => Weapon::Sword,
                _ => Weapon::Pole,
            };
            let chosen = play.chosen.binary_search(&one.unit).is_ok();
            let Some(pigment) = pigments.get(one.side.index()) else { continue };
            let rules = &battle.rules;
            crowd::company(canvas, theme, rules, pigment, one, distance, alpha, px, chosen, weapon);
            bench.draw(canvas, one, alpha);
        }
    }
    if !play.planning() {
        let part = play.cursor.fract() as f32;
        let flights = play.session.timeline().flights_in(play.pulse());
        crowd::flights(canvas, theme, play.land, flights, part, px, low, high);
    }
}
